{{/* Rejects names that Kubernetes would reject, and ambiguous ones. */}}

{{- define "vds.validate.release.name" -}}
{{- if not (regexMatch "^[a-z]([a-z0-9-]*[a-z0-9])?$" .Release.Name) -}}
{{- fail (printf "release name '%s' is not a valid prefix for Service names: start with a letter and use only lowercase letters, digits and dashes." .Release.Name) -}}
{{- end -}}
{{- $whole := include "vds.fullname" . -}}
{{- if gt (len $whole) 40 -}}
{{- fail (printf "release name '%s' is too long: the prefix '%s' of all object names may have at most 40 characters." .Release.Name $whole) -}}
{{- end -}}
{{- end }}

{{/* One address each; only the client of NATS takes several. */}}
{{- define "vds.validate.addresses" -}}
{{- $external := .Values.external -}}
{{- range $server, $key := dict "nats" "url" "s3" "endpoint" "opensearch" "url" "otlp" "endpoint" -}}
{{- $address := get (get $external $server) $key -}}
{{- range splitList "," $address -}}
{{- if and (ne $server "nats") (ne . $address) -}}
{{- fail (printf "external.%s.%s has several addresses (%s): set one that reaches all of them, such as a Service or a DNS name with several records." $server $key $address) -}}
{{- else if and . (not (regexMatch `^[a-z]+://(\[[0-9a-fA-F:.]+\]|[^:/?#\[\];]+)(:[0-9]{1,5})?([/?#].*)?$` .)) -}}
{{- fail (printf "external.%s.%s is not an address (%s): use scheme://host[:port], with an IPv6 address in brackets." $server $key .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A variable has one source: the chart, the Secret or the values. */}}
{{- define "vds.validate.variables" -}}
{{- $c := .component -}}
{{- $name := .name -}}
{{- $keys := compact (splitList " " (include "vds.secretKeys" .)) -}}
{{- $own := include "vds.environment" (dict "root" .root "name" .name "fullname" .fullname "component" (omit $c "env")) | fromYaml -}}
{{- range $variable, $value := $c.env -}}
{{- if has $variable $keys -}}
{{- fail (printf "components.%s.env.%s comes from the component's Secret: set it there, or remove it from components.%s.env and defaults.env." $name $variable $name) -}}
{{- else if hasKey $own $variable -}}
{{- fail (printf "components.%s.env.%s is set by the chart from other values (to '%s'): change those, or remove it from components.%s.env and defaults.env." $name $variable (get $own $variable) $name) -}}
{{- end -}}
{{- end -}}
{{- range $c.extraEnv -}}
{{- if has .name $keys -}}
{{- fail (printf "components.%s.extraEnv has %s, which comes from the component's Secret: set it there, or remove it from the list." $name .name) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Two ExternalSecrets or Certificates must not overwrite one Secret. */}}
{{- define "vds.validate.secrets" -}}
{{- $made := or .root.Values.externalSecrets.enabled .root.Values.tls.certManager.enabled -}}
{{- $vdsctl := printf "%s-vdsctl" (include "vds.fullname" .root) -}}
{{- $owners := dict $vdsctl "vdsctl" -}}
{{- $credentials := list "DATABASE_OWNER_PASSWORD" "NATS_CREDS" "NATS_PASSWORD" "OPENSEARCH_PASSWORD" -}}
{{- range $name, $it := .scopes -}}
{{- $credentials = concat $credentials (include "vds.secretKeys" $it | splitList " " | compact) | uniq -}}
{{- end -}}
{{- if .root.Values.apps.enabled -}}
{{- $apps := include "vds.appsSecret" .root -}}
{{- if eq $apps $vdsctl -}}
{{- fail (printf "apps.secretName is '%s', which vdsctl uses: the apps need their own Secret." $apps) -}}
{{- end -}}
{{- $_ := set $owners $apps "apps" -}}
{{- end -}}
{{- range $name, $it := .scopes -}}
{{- $secret := include "vds.secretName" $it -}}
{{- range $key, $_ := $it.component.secretRefs -}}
{{- if not (has $key $credentials) -}}
{{- fail (printf "components.%s.secretRefs has '%s', which is no credential of the release: there are %s." $name $key (join ", " $credentials)) -}}
{{- end -}}
{{- end -}}
{{- if and $made (hasKey $owners $secret) -}}
{{- fail (printf "components.%s.secretName is '%s', which %s uses too: with externalSecrets.enabled or tls.certManager.enabled each component needs its own Secret." $name $secret (get $owners $secret)) -}}
{{- end -}}
{{- $_ := set $owners $secret $name -}}
{{- end -}}
{{- end }}

{{/* A prefix must not lead into the names of another release, as services/_chassis/src/bus/names.ts and deploy/tools/installation.ts define it. */}}
{{- define "vds.validate.prefixes" -}}
{{- $external := .root.Values.external -}}
{{- $taken := list "dead" -}}
{{- range $name, $it := .scopes -}}
{{- if $it.component.events }}{{ $taken = append $taken $name }}{{ end -}}
{{- end -}}
{{- range $key, $prefix := dict "prefix" $external.prefix "nats.prefix" $external.nats.prefix -}}
{{- if or (has $prefix $taken) (hasSuffix "-dead" $prefix) -}}
{{- fail (printf "external.%s is '%s', which leads into the streams of a release without it: choose a word that is no component and does not end in 'dead'." $key $prefix) -}}
{{- end -}}
{{- end -}}
{{- if eq $external.prefix "vds" -}}
{{- fail "external.prefix is 'vds', with which the indexes of a release without a prefix begin: choose another word." -}}
{{- end -}}
{{- end }}
