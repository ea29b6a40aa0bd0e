{{- define "vds.deployment" -}}
{{- $c := .component -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "vds.metadata" (dict "it" .) | nindent 2 }}
spec:
  {{- if not (or $c.autoscaling.enabled $c.keda.enabled) }}
  replicas: {{ $c.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  # Pods stay unready until their schema and their servers are available.
  progressDeadlineSeconds: 900
  {{- if eq $c.priority "worker" }}
  # A worker is ready before it claims its first job: a version that dies of it must not replace the other workers.
  minReadySeconds: 10
  {{- end }}
  selector:
    matchLabels: {{- include "vds.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: {{- include "vds.rollingUpdate" . | nindent 6 }}
  template:
    metadata:
      labels: {{- mergeOverwrite (deepCopy $c.podLabels) (fromYaml (include "vds.podLabels" (merge (dict "kind" "service") .))) | toYaml | nindent 8 }}
      annotations:
        checksum/environment: {{ sha256sum (include "vds.environment" .) }}
        {{- with mergeOverwrite (deepCopy .root.Values.commonAnnotations) $c.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec: {{- include "vds.podSpec" . | nindent 6 }}
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

{{- define "vds.podSpec" -}}
{{- $c := .component -}}
serviceAccountName: {{ .fullname }}
{{ include "vds.podBasics" .root }}
terminationGracePeriodSeconds: {{ $c.terminationGracePeriodSeconds }}
{{- with include "vds.priorityClass" . }}
priorityClassName: {{ . | trim | quote }}
{{- end }}
{{- with int $c.startDelaySeconds }}
initContainers:
  - {{- include "vds.startDelay" $ | nindent 4 }}
{{- end }}
containers:
  - {{- include "vds.container" . | nindent 4 }}
volumes: {{- include "vds.volumes" . | nindent 2 }}
topologySpreadConstraints: {{- include "vds.spread" . | nindent 2 }}
{{- include "vds.placement" (dict "at" $c) }}
{{- end }}

{{/* Only a new pod waits: when a container restarts, its init containers do not run again. */}}
{{- define "vds.startDelay" -}}
name: start-delay
image: {{ include "vds.image" (dict "root" .root "target" .component.image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [--eval, 'process.once("SIGTERM", () => process.exit()); setTimeout(() => {}, {{ mul .component.startDelaySeconds 1000 }})']
terminationMessagePolicy: FallbackToLogsOnError
securityContext: {{- include "vds.containerSecurity" . | nindent 2 }}
resources:
  requests: { cpu: 10m, memory: 48Mi, ephemeral-storage: 16Mi }
  limits: { memory: 128Mi, ephemeral-storage: 16Mi }
{{- end }}

{{- define "vds.container" -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" .root) -}}
{{- $secret := include "vds.secretName" . -}}
name: {{ .name }}
image: {{ include "vds.image" (dict "root" .root "target" $c.image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [services/{{ .name }}/src/main.ts]
envFrom:
  - configMapRef: { name: {{ .fullname }} }
env:
  {{- range compact (splitList " " (include "vds.secretKeys" .)) }}
  {{- include "vds.secretVariable" (dict "variable" . "secret" $secret "key" .) | nindent 2 }}
  {{- end }}
  {{- with $c.extraEnv }}
  {{- toYaml . | nindent 2 }}
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
# The last log lines of a failed container appear in the pod's status.
terminationMessagePolicy: FallbackToLogsOnError
securityContext: {{- include "vds.containerSecurity" . | nindent 2 }}
resources: {{- toYaml $c.resources | nindent 2 }}
volumeMounts: {{- include "vds.volumeMounts" . | nindent 2 }}
{{- end }}
