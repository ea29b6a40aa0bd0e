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
{{- if and $c.natsUser (or (not $c.events) (ne $nats "password")) -}}
{{- fail (printf "components.%s.natsUser is set, but %s: remove it." $name ($c.events | ternary (printf "external.nats.auth is %s, which has its own user" $nats) "it uses no events")) -}}
{{- end -}}
{{- $external := .root.Values.external -}}
{{- if and $c.events (eq $nats "certificate") (not (and .root.Values.tls.enabled (hasPrefix "tls://" $external.nats.url))) -}}
{{- fail "external.nats.auth is certificate: set tls.enabled, whose certificates the components show to NATS, and a URL with tls:// in external.nats.url." -}}
{{- end -}}
{{- if and $c.search (ne $external.opensearch.auth "password") $external.opensearch.user -}}
{{- fail "external.opensearch.auth is aws beside external.opensearch.user: set one or the other." -}}
{{- end -}}
{{- $mode := (include "vds.postgres" . | fromYaml).sslMode -}}
{{- if and $c.database (ne $external.postgres.auth "password") (not (hasPrefix "verify-" $mode)) -}}
{{- fail (printf "external.postgres.auth is %s, but the sslMode of %s is %s: set verify-full or verify-ca, as a token is sent there." $external.postgres.auth $name $mode) -}}
{{- end -}}
{{- if and (include "vds.hasIdentity" .) .root.Values.networkPolicy.enabled (not $external.identity.peers) -}}
{{- fail "external.identity.peers is empty: list the peers through which network policies allow STS, the agent or the metadata server that hands out credentials." -}}
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
