{{/* Rejects a database or a login of a component that is half set, or set where it has no effect. */}}
{{- define "vds.validate.identity" -}}
{{- $c := .component -}}
{{- $name := .name -}}
{{- $own := $c.postgres -}}
{{- $nats := .root.Values.external.nats.auth -}}
{{- if not $c.database -}}
{{- range $key, $value := dig $name "postgres" dict .root.Values.components -}}
{{- if $value -}}
{{- fail (printf "components.%s.postgres.%s is set, but %s has no database: remove it." $name $key $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $pair := list (list "user" "owner") (list "owner" "user") -}}
{{- if and (get $own (first $pair)) (not (get $own (last $pair))) -}}
{{- fail (printf "components.%s.postgres.%s is set, but %s is not: set both, as the service logs in as user and its migrations as owner." $name (first $pair) (last $pair)) -}}
{{- end -}}
{{- end -}}
{{- if and $own.user (eq $own.user $own.owner) -}}
{{- fail (printf "components.%s.postgres.user and owner are both '%s': the service must not own its tables, or it could change them." $name $own.user) -}}
{{- end -}}
{{- if and $own.peers (not $own.host) -}}
{{- fail (printf "components.%s.postgres.peers is set, but host is not: set both, or list the peers of the shared server in external.postgres.peers." $name) -}}
{{- end -}}
{{- if and $own.host (eq $own.policy "peers") (not $own.peers) .root.Values.networkPolicy.enabled -}}
{{- fail (printf "components.%s.postgres.peers is empty: list the peers through which network policies allow %s, such as [{ipBlock: {cidr: 10.0.8.5/32}}]." $name $own.host) -}}
{{- end -}}
{{- if and $c.natsUser (or (not $c.events) (eq $nats "creds")) -}}
{{- fail (printf "components.%s.natsUser is set, but %s: remove it." $name ($c.events | ternary "external.nats.auth is creds, and a credentials file has its own user" "it uses no events")) -}}
{{- end -}}
{{- end }}

{{/* A policy by name needs a name: those of addresses are none. */}}
{{- define "vds.validate.policies" -}}
{{- range $one := include "vds.serversOf" . | fromJsonArray -}}
{{- range splitList "," $one.address -}}
{{- if and (eq $one.server.policy "fqdn") (regexMatch `^[a-z]+://(\[|[0-9.]+(:|/|$))` .) -}}
{{- fail (printf "policy fqdn of the server %s needs a host name: use policy peers for an address." .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
