{{/*
Names on the servers: those of the values, else derived from external.prefix, as deploy/tools/installation.ts derives them.
*/}}

{{/* `name`, after the prefix if there is one: a NATS user, a bucket. */}}
{{- define "vds.prefixed" -}}
{{- with .root.Values.external.prefix }}{{ . }}-{{ end }}{{ .name }}
{{- end }}

{{- define "vds.bucket" -}}
{{- get .root.Values.external.s3.buckets .name | default (include "vds.prefixed" .) -}}
{{- end }}

{{- define "vds.indexPrefix" -}}
{{- $external := .Values.external -}}
{{- $external.opensearch.indexPrefix | default (printf "%s-" ($external.prefix | default "vds")) -}}
{{- end }}

{{- define "vds.natsUser" -}}
{{- .component.natsUser | default (include "vds.prefixed" .) -}}
{{- end }}

{{/* A component's own database settings over shared and derived ones, as YAML. Its own server has its own peers. */}}
{{- define "vds.postgres" -}}
{{- $shared := .root.Values.external.postgres -}}
{{- $own := .component.postgres -}}
{{- $name := include "vds.prefixed" . | replace "-" "_" -}}
{{- dict
  "host" ($own.host | default $shared.host)
  "port" ($own.port | default $shared.port | int)
  "sslMode" ($own.sslMode | default $shared.sslMode)
  "database" ($own.database | default $name)
  "user" ($own.user | default $name)
  "owner" ($own.owner | default (printf "%s_owner" $name))
  "policy" (empty $own.host | ternary $shared.policy $own.policy)
  "peers" (empty $own.host | ternary $shared.peers $own.peers)
  "peerPorts" ($own.peerPorts | default (or $own.host $own.port | empty | ternary $shared.peerPorts list)) | toYaml -}}
{{- end }}

{{/* The same for migrations. They hold a lock by their session, so they go past a pooler; one of a component's own server is not known. */}}
{{- define "vds.migratedPostgres" -}}
{{- $direct := .root.Values.migrations.postgres -}}
{{- $postgres := include "vds.postgres" . | fromYaml -}}
{{- if and $direct.host (empty .component.postgres.host) -}}
{{- range $key := list "host" "port" "policy" "peers" "peerPorts" }}{{ $_ := set $postgres $key (get $direct $key) }}{{ end -}}
{{- $_ := set $postgres "sslMode" ($direct.sslMode | default $postgres.sslMode) -}}
{{- end -}}
{{ toYaml $postgres }}
{{- end }}

{{/* Connection URL without a password; `role` is `user`, or `owner` for migrations. */}}
{{- define "vds.databaseUrl" -}}
{{- $postgres := include (eq .role "owner" | ternary "vds.migratedPostgres" "vds.postgres") .it | fromYaml -}}
postgresql://{{ get $postgres .role | replace "@" "%40" }}@{{ $postgres.host }}:{{ $postgres.port }}/{{ $postgres.database }}
{{- if ne $postgres.sslMode "disable" }}?sslmode={{ $postgres.sslMode }}{{ end }}
{{- end }}

{{/* Name of the Secret of the platform's apps, and of the certificate beside it (`…-tls`). */}}
{{- define "vds.appsSecret" -}}
{{- .Values.apps.secretName | default (printf "%s-apps" (include "vds.fullname" .)) -}}
{{- end }}
