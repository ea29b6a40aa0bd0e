{{/* Command, environment and probes of each server. Each takes root, name, server. */}}

{{- define "devdeps.postgres.container" -}}
command: [sh, -eu, -c]
args:
  - |
    if [ ! -s "$PGDATA/PG_VERSION" ]; then
      # Created next to its final place, so that an interrupted initdb starts over.
      rm -rf "$PGDATA.part"
      initdb -D "$PGDATA.part" -U admin -A scram-sha-256 --pwfile=/etc/admin/postgres-password -E UTF8 --locale=C.UTF-8
      echo 'host all all all scram-sha-256' >>"$PGDATA.part/pg_hba.conf"
      mv "$PGDATA.part" "$PGDATA"
    fi
    # fsGroup sets group permissions when a volume moves; PostgreSQL accepts only a private folder.
    chmod 700 "$PGDATA"
    exec postgres -D "$PGDATA" \
      -c listen_addresses='*' -c unix_socket_directories=/tmp -c timezone=UTC \
      -c max_connections={{ .server.maxConnections }} -c fsync={{ .server.fsync | ternary "on" "off" }} -c full_page_writes={{ .server.fsync | ternary "on" "off" }}
env:
  - { name: PGDATA, value: /var/lib/postgresql/data/pgdata }
  - { name: LC_ALL, value: C.UTF-8 }
  - { name: TZ, value: UTC }
lifecycle:
  preStop:
    # Fast shutdown: SIGTERM would wait for all clients to disconnect until the grace period ends.
    exec: { command: [sh, -c, kill -INT 1] }
startupProbe:
  exec: { command: [pg_isready, -q, -h, 127.0.0.1, -U, admin, -d, postgres] }
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 180
readinessProbe:
  exec: { command: [pg_isready, -q, -h, 127.0.0.1, -U, admin, -d, postgres] }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  tcpSocket: { port: postgres }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "devdeps.nats.container" -}}
args: [-c, /etc/nats/nats.conf]
env:
  {{- range .root.Files.Get "files/generated/nats-users.json" | fromJsonArray }}
  - name: {{ include "devdeps.natsVariable" .user }}_PLAIN
    valueFrom: { secretKeyRef: { name: {{ include "devdeps.componentSecret" (dict "root" $.root "component" .user) }}, key: NATS_PASSWORD } }
  {{- end }}
  - name: {{ include "devdeps.natsVariable" "sys" }}_PLAIN
    valueFrom: { secretKeyRef: { name: {{ include "devdeps.adminSecret" .root }}, key: nats-sys-password } }
  # In quotes, or nats-server parses 1234e5 as a number.
  {{- range append (.root.Files.Get "files/generated/nats-users.json" | fromJsonArray) (dict "user" "sys") }}
  {{- $variable := include "devdeps.natsVariable" .user }}
  - { name: {{ $variable }}, value: {{ printf "'$(%s_PLAIN)'" $variable | quote }} }
  {{- end }}
startupProbe:
  httpGet: { path: /healthz, port: monitor }
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 120
readinessProbe:
  httpGet: { path: '/healthz?js-server-only=true', port: monitor }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: { path: '/healthz?js-enabled-only=true', port: monitor }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "devdeps.s3.container" -}}
args:
  - --port
  - :7070
  - --region
  - {{ .server.region }}
  - --iam-dir
  - /data/iam
  # The user cache of versitygw 1.8 reuses key buffers and sometimes returns another user.
  - --iam-cache-disable
  # Like commercial S3 servers: the next request of a client needs no new connection.
  - --keep-alive
  - --health
  - /health
  - --quiet
  - posix
  - /data/objects
env:
  - name: ROOT_ACCESS_KEY_ID
    valueFrom: { secretKeyRef: { name: {{ include "devdeps.adminSecret" .root }}, key: s3-access-key } }
  - name: ROOT_SECRET_ACCESS_KEY
    valueFrom: { secretKeyRef: { name: {{ include "devdeps.adminSecret" .root }}, key: s3-secret-key } }
{{- include "devdeps.httpProbes" (dict "path" "/health" "start" 60) }}
{{- end }}

{{- define "devdeps.opensearch.container" -}}
env:
  - { name: discovery.type, value: single-node }
  - { name: cluster.routing.allocation.disk.threshold_enabled, value: 'false' }
  # Otherwise the node requires a higher vm.max_map_count on the host.
  - { name: node.store.allow_mmap, value: 'false' }
  # Without TLS and users: access is limited by the network policy.
  - { name: DISABLE_SECURITY_PLUGIN, value: 'true' }
  - { name: DISABLE_INSTALL_DEMO_CONFIG, value: 'true' }
  - { name: DISABLE_PERFORMANCE_ANALYZER_AGENT_CLI, value: 'true' }
  - { name: OPENSEARCH_JAVA_OPTS, value: {{ printf "-Xms%s -Xmx%s -XX:+UseSerialGC" .server.heap .server.heap | quote }} }
# The port opens before the shards are available.
{{- include "devdeps.httpProbes" (dict "path" "/_cluster/health?wait_for_status=yellow&timeout=1s" "live" "/" "start" 300) }}
{{- end }}

{{- define "devdeps.speech.container" -}}
env:
  # Where it keeps models.
  - { name: HOME, value: /models }
  - { name: WHISPER__INFERENCE_DEVICE, value: cpu }
  - { name: WHISPER__COMPUTE_TYPE, value: int8 }
  - { name: ENABLE_UI, value: 'false' }
lifecycle:
  postStart:
    # 0.8 loads a model only when it is asked to; probes begin when this has ended.
    exec:
      command:
        - sh
        - -eu
        - -c
        - |
          until curl -sf -o /dev/null http://127.0.0.1:8000/health; do sleep 1; done
          for model in {{ join " " .server.models }}; do
            curl -sf http://127.0.0.1:8000/v1/models | grep -qF "\"$model\"" ||
              curl -sf -o /dev/null -X POST "http://127.0.0.1:8000/v1/models/$model"
          done
{{- include "devdeps.httpProbes" (dict "path" "/health" "start" 1800) }}
{{- end }}

{{- define "devdeps.translation.container" -}}
env:
  # Where it keeps languages.
  - { name: HOME, value: /models }
  - { name: LT_LOAD_ONLY, value: {{ join "," .server.languages | quote }} }
  - { name: LT_DISABLE_WEB_UI, value: 'true' }
{{- include "devdeps.httpProbes" (dict "path" "/languages" "start" 3600) }}
{{- end }}

{{/* OpenSearch writes its keystore and plug-in state into its configuration folder, so it gets a writable copy. */}}
{{- define "devdeps.opensearch.config" -}}
- name: config
  image: {{ include "devdeps.image" (dict "root" .root "image" .server.image) }}
  imagePullPolicy: {{ .server.image.pullPolicy }}
  command: [sh, -c, cp -R /usr/share/opensearch/config/. /config/]
  securityContext: {{- include "devdeps.containerSecurity" .root | nindent 4 }}
  resources:
    requests: { cpu: 10m, memory: 16Mi, ephemeral-storage: 16Mi }
    limits: { memory: 64Mi, ephemeral-storage: 64Mi }
  volumeMounts:
    - { name: config, mountPath: /config }
{{- end }}

{{- define "devdeps.httpProbes" }}
startupProbe:
  httpGet: { path: {{ .path | quote }}, port: http }
  periodSeconds: 1
  timeoutSeconds: 5
  failureThreshold: {{ .start }}
readinessProbe:
  httpGet: { path: {{ .path | quote }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: { path: {{ .live | default .path | quote }}, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{/* Name of the variable with a user's password in nats.conf. */}}
{{- define "devdeps.natsVariable" -}}
NATS_PASSWORD_{{ . | upper | replace "-" "_" }}
{{- end }}
