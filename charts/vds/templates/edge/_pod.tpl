{{- define "vds.edge.pod" -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" .root) -}}
{{- $resources := deepCopy $c.resources }}
{{- if not $c.cache.storageClass }}
{{- /* An emptyDir counts towards the container's ephemeral storage; logs take the rest. */}}
{{- $disk := add (include "vds.bytes" $c.cache.size | int64) 268435456 }}
{{- $_ := set $resources "requests" (merge (dict "ephemeral-storage" (toString $disk)) $resources.requests) }}
{{- $_ := set $resources "limits" (merge (dict "ephemeral-storage" (toString $disk)) $resources.limits) }}
{{- end }}
terminationGracePeriodSeconds: {{ $c.terminationGracePeriodSeconds }}
containers:
  - name: edge
    image: {{ include "vds.imageReference" (merge (dict "root" .root) $c.image) }}
    # Not the image's entrypoint, which writes configuration. Its stop signal is SIGQUIT: responses in flight are sent to their end.
    command: [nginx]
    args: [-e, stderr, -c, /etc/vds/nginx.conf, -g, 'daemon off;']
    ports:
      - { name: admin, containerPort: {{ $ports.admin }} }
      - { name: http, containerPort: {{ $ports.http }} }
    {{- with int $c.drainSeconds }}
    lifecycle:
      # The pod keeps serving until load balancers have dropped it.
      preStop: { sleep: { seconds: {{ . }} } }
    {{- end }}
    startupProbe:
      httpGet: { path: /livez, port: admin }
      periodSeconds: 1
      failureThreshold: 60
    readinessProbe:
      httpGet: { path: /readyz, port: admin }
      periodSeconds: 5
      timeoutSeconds: 3
      # Without playback viewers whom the gate knows go on, and others are told to try again: a pod stays in its Service.
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /livez, port: admin }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    resources: {{- toYaml $resources | nindent 6 }}
    volumeMounts:
      - { name: config, mountPath: /etc/vds, readOnly: true }
      - { name: cache, mountPath: {{ include "vds.edge.cache" .root }} }
volumes:
  - { name: config, configMap: { name: {{ .fullname }} } }
  {{- if $c.cache.storageClass }}
  - name: cache
    ephemeral:
      volumeClaimTemplate:
        spec:
          accessModes: [ReadWriteOnce]
          storageClassName: {{ $c.cache.storageClass | quote }}
          resources: { requests: { storage: {{ $c.cache.size }} } }
  {{- else }}
  - { name: cache, emptyDir: { sizeLimit: {{ $c.cache.size }} } }
  {{- end }}
{{- end }}
