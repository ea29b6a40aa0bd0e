{{- define "vds.secretName" -}}
{{ .component.secretName | default .fullname }}
{{- end }}

{{/* Not empty if mTLS is on and the component calls or serves RPC. */}}
{{- define "vds.hasTls" -}}
{{- if and .root.Values.tls.enabled (or .component.peers (has "rpc" .component.ports) (has "adminRpc" .component.ports)) }}yes{{ end }}
{{- end }}

{{/* Not empty if the component logs in to NATS with a credentials file of its Secret. */}}
{{- define "vds.hasNatsCreds" -}}
{{- if and .component.events (eq .root.Values.external.nats.auth "creds") }}yes{{ end }}
{{- end }}

{{/* Not empty if the component proves to a server who it is by the identity that the cloud gives its pod. */}}
{{- define "vds.hasIdentity" -}}
{{- $external := .root.Values.external -}}
{{- $c := .component -}}
{{- if or (and $c.buckets (ne $external.s3.auth "keys")) (and $c.database (ne $external.postgres.auth "password")) (and $c.search (ne $external.opensearch.auth "password")) }}yes{{ end }}
{{- end }}

{{- define "vds.tlsFiles" -}}
TLS_CERT_FILE: /etc/vds/tls/tls.crt
TLS_KEY_FILE: /etc/vds/tls/tls.key
TLS_CA_FILE: /etc/vds/tls/ca.crt
{{- end }}

{{/* Addresses of the servers that a component uses. */}}
{{- define "vds.environment.servers" -}}
{{- $external := .root.Values.external -}}
{{- $c := .component -}}
{{- if $c.database }}
DATABASE_URL: {{ include "vds.databaseUrl" (dict "it" . "role" "user") | quote }}
DATABASE_POOL_SIZE: {{ $c.databasePoolSize | quote }}
{{- if ne $external.postgres.auth "password" }}
DATABASE_AUTH: {{ $external.postgres.auth | quote }}
{{- end }}
{{- end }}
{{- if $c.events }}
NATS_URL: {{ $external.nats.url | quote }}
{{- with $external.nats.prefix | default $external.prefix }}
NATS_PREFIX: {{ . | quote }}
{{- end }}
{{- if include "vds.hasNatsCreds" . }}
NATS_CREDS_FILE: "/etc/vds/nats/nats.creds"
{{- else if eq $external.nats.auth "certificate" }}
NATS_CERT_FILE: "/etc/vds/tls/tls.crt"
NATS_KEY_FILE: "/etc/vds/tls/tls.key"
{{- else }}
NATS_USER: {{ include "vds.natsUser" . | quote }}
{{- end }}
NATS_STREAM_REPLICAS: {{ $external.nats.streams.replicas | quote }}
NATS_STREAM_MAX_BYTES: {{ include "vds.bytes" $external.nats.streams.maxBytes | quote }}
{{- end }}
{{- if $c.buckets }}
S3_ENDPOINT: {{ $external.s3.endpoint | quote }}
S3_REGION: {{ $external.s3.region | quote }}
{{- if ne $external.s3.auth "keys" }}
S3_AUTH: {{ $external.s3.auth | quote }}
{{- end }}
{{- range $c.buckets }}
{{ upper . }}_BUCKET: {{ include "vds.bucket" (dict "root" $.root "name" .) | quote }}
{{- end }}
{{- end }}
{{- if $c.search }}
OPENSEARCH_URL: {{ $external.opensearch.url | quote }}
{{- if ne $external.opensearch.auth "password" }}
OPENSEARCH_AUTH: {{ $external.opensearch.auth | quote }}
{{- end }}
{{- with $external.opensearch.user }}
OPENSEARCH_USER: {{ . | quote }}
{{- end }}
INDEX_PREFIX: {{ include "vds.indexPrefix" .root | quote }}
INDEX_REPLICAS: {{ $external.opensearch.replicas | quote }}
INDEX_SHARDS: {{ $external.opensearch.shards | quote }}
{{- end }}
{{- with $external.otlp.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . | quote }}
{{- end }}
{{- if include "vds.trusts" .root }}
NODE_EXTRA_CA_CERTS: /etc/vds/trust/ca.crt
{{- end }}
{{- end }}

{{/* Allowed and blocked source addresses: gateway, which validates them, and ingest, which fetches them, apply the same. */}}
{{- define "vds.environment.sources" -}}
{{- $ingest := .root.Values.ingest -}}
{{- if .component.sources }}
{{- with $ingest.privateSources }}
PRIVATE_SOURCES: {{ join "," . | quote }}
{{- end }}
{{- with $ingest.blockedCidrs }}
BLOCKED_CIDRS: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- if eq .component.sources "fetches" }}
{{- with $ingest.nat64Prefixes }}
NAT64_PREFIXES: {{ join "," . | quote }}
{{- end }}
{{- with $ingest.dnsServers }}
DNS_SERVERS: {{ join "," . | quote }}
{{- end }}
{{- if $ingest.caConfigMap }}
SOURCE_CA_FILE: /etc/vds/sources/ca.crt
{{- end }}
{{- end }}
{{- end }}

{{/* Seconds after SIGTERM in which responses carry `Connection: close`, before idle keep-alive connections are closed. */}}
{{- define "vds.leaveSeconds" -}}
{{ has "http" .ports | ternary 5 0 }}
{{- end }}

{{/* Bytes of the memory limit that the programs of a component share; empty without both settings. */}}
{{- define "vds.programsMemory" -}}
{{- $limit := dig "limits" "memory" "" .resources -}}
{{- if and .programsReserve $limit -}}
{{- printf "%.0f" (subf (include "vds.bytes" $limit | float64) (include "vds.bytes" .programsReserve | float64)) -}}
{{- end -}}
{{- end }}

{{/* Every variable of a component that is not a secret, as a YAML mapping of strings. */}}
{{- define "vds.environment" -}}
{{- $root := .root -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" $root) -}}
ADMIN_PORT: {{ $ports.admin | quote }}
{{- /*
preStop.sleep keeps the pod serving while others still find it. After SIGTERM only HTTP needs a delay: each response asks
its client to reconnect elsewhere before idle connections are closed.
*/}}
{{- $leaveSeconds := include "vds.leaveSeconds" $c | int }}
DRAIN_DELAY: {{ printf "%ds" $leaveSeconds }}
CLOSE_TIMEOUT: {{ printf "%ds" (sub (int $c.terminationGracePeriodSeconds) (add (int $c.drainSeconds) $leaveSeconds 5)) }}
{{- with include "vds.programsMemory" $c }}
PROGRAMS_MEMORY: {{ . | quote }}
{{- end }}
{{- range $c.ports }}
{{ snakecase . | upper }}_PORT: {{ get $ports . | quote }}
{{- end }}
{{- range $c.peers }}
{{ upper . }}_RPC: {{ printf "dns:///%s-%s:%v" (include "vds.fullname" $root) . $ports.rpc }}
{{- end }}
{{- with $c.trustedHops }}
TRUSTED_HOPS: {{ join "," . | quote }}
{{- end }}
{{- include "vds.environment.servers" . }}
{{- include "vds.environment.sources" . }}
{{- with include "vds.speechModel" . }}
SPEECH_MODEL: {{ . | quote }}
{{- end }}
{{- if include "vds.hasTls" . }}
{{ include "vds.tlsFiles" . }}
{{- end }}
{{- range $name, $value := $c.env }}
{{ $name }}: {{ tpl (toString $value) $root | quote }}
{{- end }}
{{- end }}

{{/* Keys of its Secret that a component gets as variables. */}}
{{- define "vds.secretKeys" -}}
{{- $c := .component -}}
{{- $keys := list -}}
{{- $external := .root.Values.external -}}
{{- if and $c.database (eq $external.postgres.auth "password") }}{{ $keys = append $keys "DATABASE_PASSWORD" }}{{ end -}}
{{- if and $c.events (eq $external.nats.auth "password") }}{{ $keys = append $keys "NATS_PASSWORD" }}{{ end -}}
{{- if and $c.buckets (eq $external.s3.auth "keys") }}{{ $keys = concat $keys (list "S3_ACCESS_KEY" "S3_SECRET_KEY") }}{{ end -}}
{{- if and $c.search .root.Values.external.opensearch.user }}{{ $keys = append $keys "OPENSEARCH_PASSWORD" }}{{ end -}}
{{- if $c.peers }}{{ $keys = append $keys "RPC_TOKEN" }}{{ end -}}
{{- if or (has "rpc" $c.ports) (has "adminRpc" $c.ports) }}{{ $keys = append $keys "RPC_CALLERS" }}{{ end -}}
{{ join " " (concat $keys $c.secrets) }}
{{- end }}
