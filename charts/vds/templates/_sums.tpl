{{/*
What the servers must have room for, as NOTES print it.
*/}}

{{/*
Connections to each database server, as YAML: `host:port` → number. Each pool opens one more than its size, a pod that starts
before the old one stops counts too, and so do the migration of each database and ten connections for people, past a pooler.
*/}}
{{- define "vds.connections" -}}
{{- $sums := dict -}}
{{- range $name, $it := .scopes -}}
{{- if $it.component.database -}}
{{- $pods := include "vds.mostReplicas" $it | int -}}
{{- $surge := dig "rollingUpdate" "maxSurge" 0 (include "vds.strategy" $it | fromYaml) | toString -}}
{{- $pods = add $pods (hasSuffix "%" $surge | ternary (div (add (mul $pods (trimSuffix "%" $surge | int)) 99) 100) (int $surge)) -}}
{{- $migrated := include "vds.migratedPostgres" $it | fromYaml | include "vds.serverName" -}}
{{- $_ := set $sums $migrated (get $sums $migrated | default 10 | add 1) -}}
{{- $server := include "vds.postgres" $it | fromYaml | include "vds.serverName" -}}
{{- range $variable, $value := include "vds.environment" $it | fromYaml -}}
{{- if regexMatch "^DATABASE_(.+_)?POOL_SIZE$" $variable -}}
{{- $_ := set $sums $server (get $sums $server | default 0 | add (mul $pods (add (int $value) 1))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{ toYaml $sums }}
{{- end }}

{{- define "vds.serverName" -}}
{{ .host }}:{{ .port }}
{{- end }}

{{/* Streams of JetStream: those of the components, of their events and their dead letters, and room for the state of consumers. */}}
{{- define "vds.streams" -}}
{{- $sum := 1 -}}
{{- $own := include "vds.streamsByComponent" . | fromYaml -}}
{{- range $name, $_ := .scopes -}}
{{- $sum = get $own $name | default 0 | int | add $sum -}}
{{- end -}}
{{ $sum }}
{{- end }}

{{- define "vds.streamsByComponent" -}}
# generated: streams by component
catalog: 2
ingest: 2
transcode: 2
captions: 2
metadata: 2
indexer: 2
playback: 1
analytics: 2
# end of streams by component
{{- end }}
