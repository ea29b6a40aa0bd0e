{{- define "vds.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Ports are the same in every component. */}}
{{- define "vds.ports" -}}
admin: 9090
http: 8080
rpc: 50051
adminRpc: 50052
{{- end }}

{{- define "vds.image" -}}
{{- $image := .root.Values.image -}}
{{ printf "%s/%s:%s" $image.repository .target ($image.tag | default .root.Chart.AppVersion) }}
{{- end }}

{{/* Labels that select a component's pods; they never change. */}}
{{- define "vds.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/name: {{ .name }}
{{- end }}

{{- define "vds.labels" -}}
{{ include "vds.selector" . }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "vds.secretName" -}}
{{ .component.secretName | default (printf "%s-%s" (include "vds.fullname" .root) .name) }}
{{- end }}

{{/* Says something where a component calls or answers RPC and mTLS is on. */}}
{{- define "vds.hasTls" -}}
{{- if and .root.Values.tls.enabled (or .component.peers (has "rpc" .component.doors)) }}yes{{ end }}
{{- end }}

{{/* Connection without the password; `role` is the component, or its owner for migrations. */}}
{{- define "vds.databaseUrl" -}}
{{- $postgres := .root.Values.external.postgres -}}
postgresql://{{ .role }}@{{ $postgres.host }}:{{ $postgres.port }}/{{ .name }}
{{- with $postgres.sslMode }}?sslmode={{ . }}{{ end }}
{{- end }}

{{/* Every variable of a component that is no secret, as a YAML mapping of strings. */}}
{{- define "vds.environment" -}}
{{- $root := .root -}}
{{- $external := $root.Values.external -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" $root) -}}
ADMIN_PORT: {{ $ports.admin | quote }}
DRAIN_DELAY: {{ printf "%ds" (int $c.drainSeconds) }}
CLOSE_TIMEOUT: {{ printf "%ds" (sub (int $c.terminationGracePeriodSeconds) (add (int $c.drainSeconds) 5)) }}
{{- range $c.doors }}
{{ snakecase . | upper }}_PORT: {{ get $ports . | quote }}
{{- end }}
{{- range $c.peers }}
{{ upper . }}_RPC: {{ printf "dns:///%s-%s:%v" (include "vds.fullname" $root) . $ports.rpc }}
{{- end }}
{{- if $c.database }}
DATABASE_URL: {{ include "vds.databaseUrl" (dict "root" $root "role" .name "name" .name) }}
{{- end }}
{{- if $c.events }}
NATS_URL: {{ $external.nats.url }}
NATS_USER: {{ .name }}
{{- end }}
{{- if $c.buckets }}
S3_ENDPOINT: {{ $external.s3.endpoint }}
S3_REGION: {{ $external.s3.region }}
{{- range $c.buckets }}
{{ upper . }}_BUCKET: {{ get $external.s3.buckets . }}
{{- end }}
{{- end }}
{{- if $c.search }}
OPENSEARCH_URL: {{ $external.opensearch.url }}
{{- with $external.opensearch.user }}
OPENSEARCH_USER: {{ . }}
{{- end }}
INDEX_PREFIX: {{ $external.opensearch.indexPrefix }}
{{- end }}
{{- with $external.otlp.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . }}
{{- end }}
{{- if include "vds.hasTls" . }}
TLS_CERT_FILE: /etc/vds/tls/tls.crt
TLS_KEY_FILE: /etc/vds/tls/tls.key
TLS_CA_FILE: /etc/vds/tls/ca.crt
{{- end }}
{{- range $name, $value := $c.env }}
{{ $name }}: {{ tpl (toString $value) $root | quote }}
{{- end }}
{{- end }}

{{/* Names of the keys that a component takes from its Secret. */}}
{{- define "vds.secretKeys" -}}
{{- $c := .component -}}
{{- $keys := list -}}
{{- if $c.database }}{{ $keys = append $keys "DATABASE_PASSWORD" }}{{ end -}}
{{- if $c.events }}{{ $keys = append $keys "NATS_PASSWORD" }}{{ end -}}
{{- if $c.buckets }}{{ $keys = concat $keys (list "S3_ACCESS_KEY" "S3_SECRET_KEY") }}{{ end -}}
{{- if and $c.search .root.Values.external.opensearch.user }}{{ $keys = append $keys "OPENSEARCH_PASSWORD" }}{{ end -}}
{{- if $c.peers }}{{ $keys = append $keys "RPC_TOKEN" }}{{ end -}}
{{- if has "rpc" $c.doors }}{{ $keys = append $keys "RPC_CALLERS" }}{{ end -}}
{{ join " " (concat $keys $c.secrets) }}
{{- end }}

{{- define "vds.secretVariable" -}}
- name: {{ .variable }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end }}

{{- define "vds.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "vds.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "vds.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
