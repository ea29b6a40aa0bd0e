{{/* Metadata of a workload: its own annotations and labels beside those of every object. */}}
{{- define "vds.workloadMetadata" -}}
{{- $annotations := mergeOverwrite (deepCopy .it.component.annotations) (.annotations | default dict) -}}
{{- include "vds.metadata" (dict "it" .it "as" (.as | default .it.fullname) "annotations" $annotations "labels" .it.component.labels) -}}
{{- end }}

{{/* A Deployment of `pod`, the rendered template of its pods. */}}
{{- define "vds.deployment" -}}
{{- $c := .component -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "vds.workloadMetadata" (dict "it" .) | nindent 2 }}
spec:
  {{- if not (or $c.autoscaling.enabled $c.keda.enabled) }}
  replicas: {{ $c.replicas }}
  {{- end }}
  revisionHistoryLimit: {{ $c.revisionHistoryLimit }}
  # Pods stay unready until their schema and their servers are available.
  progressDeadlineSeconds: {{ $c.progressDeadlineSeconds }}
  {{- /* A worker is ready before it claims its first job: a version that dies of it must not replace the other workers. */}}
  {{- with int $c.minReadySeconds | default (eq $c.priority "worker" | ternary 10 0) }}
  minReadySeconds: {{ . }}
  {{- end }}
  selector:
    matchLabels: {{- include "vds.selector" . | nindent 6 }}
  strategy: {{- include "vds.strategy" . | nindent 4 }}
  template: {{- .pod | nindent 4 }}
{{- end }}

{{- define "vds.strategy" -}}
{{- if eq (dig "type" "" .component.strategy) "Recreate" -}}
type: Recreate
{{- else -}}
{{- $rolling := mergeOverwrite (include "vds.rollingUpdate" . | fromYaml) (dig "rollingUpdate" dict .component.strategy | deepCopy) -}}
{{ merge (dict "rollingUpdate" $rolling) (deepCopy .component.strategy) | toYaml }}
{{- end -}}
{{- end }}

{{/*
Serving components surge by one pod; workers are replaced one at a time: nobody waits for them, and a node may lack room for
one more. A single worker is not stopped before its successor is ready: a release that cannot start would leave none.
*/}}
{{- define "vds.rollingUpdate" -}}
{{- if and (eq .component.priority "worker") (ge (include "vds.leastReplicas" . | int) 2) -}}
maxSurge: 0
maxUnavailable: 1
{{- else -}}
maxSurge: 1
maxUnavailable: 0
{{- end -}}
{{- end }}

{{- define "vds.componentPod" -}}
{{- $c := .component -}}
{{- $spec := dict "terminationGracePeriodSeconds" $c.terminationGracePeriodSeconds
  "containers" (list (include "vds.container" . | fromYaml)) "volumes" (include "vds.volumes" . | fromYamlArray) -}}
{{- $before := gt (int $c.startDelaySeconds) 0 | ternary (list (include "vds.startDelay" . | fromYaml)) list -}}
{{- $checksums := dict "checksum/environment" (include "vds.environment" . | sha256sum) -}}
{{ include "vds.pod" (merge (dict "kind" "service" "account" .fullname "spec" $spec "before" $before "checksums" $checksums) .) }}
{{- end }}

{{/* Only a new pod waits: when a container restarts, its init containers do not run again. */}}
{{- define "vds.startDelay" -}}
name: start-delay
image: {{ include "vds.image" (dict "root" .root "target" .component.image) }}
args: [--eval, 'process.once("SIGTERM", () => process.exit()); setTimeout(() => {}, {{ mul .component.startDelaySeconds 1000 }})']
resources:
  requests: { cpu: 10m, memory: 48Mi, ephemeral-storage: 16Mi }
  limits: { memory: 128Mi, ephemeral-storage: 16Mi }
{{- end }}

{{- define "vds.container" -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" .root) -}}
name: {{ .name }}
image: {{ include "vds.image" (dict "root" .root "target" $c.image) }}
args: [services/{{ .name }}/src/main.ts]
envFrom:
  - configMapRef: { name: {{ .fullname }} }
{{- with include "vds.secretKeys" . | splitList " " | compact }}
env:
  {{- range . }}
  {{- include "vds.secretVariable" (dict "it" $ "variable" .) | nindent 2 }}
  {{- end }}
{{- end }}
ports:
  - { name: admin, containerPort: {{ $ports.admin }} }
  {{- range $c.ports }}
  - { name: {{ kebabcase . }}, containerPort: {{ get $ports . }} }
  {{- end }}
{{- with int $c.drainSeconds }}
lifecycle:
  # The pod keeps serving until load balancers and callers have dropped it; then comes SIGTERM.
  preStop: { sleep: { seconds: {{ . }} } }
{{- end }}
{{ include "vds.probes" . }}
resources: {{- toYaml $c.resources | nindent 2 }}
volumeMounts: {{- include "vds.volumeMounts" . | nindent 2 }}
{{- end }}

{{/* /livez depends only on the process and works from its start; /readyz checks what the service needs. */}}
{{- define "vds.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: admin }
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 120
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  periodSeconds: 5
  timeoutSeconds: 3
livenessProbe:
  httpGet: { path: /livez, port: admin }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}
