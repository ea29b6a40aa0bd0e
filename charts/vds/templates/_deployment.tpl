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
  # Pods stay unready until their schema and their servers are there.
  progressDeadlineSeconds: 900
  selector:
    matchLabels: {{- include "vds.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels: {{- mergeOverwrite (deepCopy $c.podLabels) (fromYaml (include "vds.labels" .)) | toYaml | nindent 8 }}
      annotations:
        checksum/environment: {{ sha256sum (include "vds.environment" .) }}
        {{- with mergeOverwrite (deepCopy .root.Values.commonAnnotations) $c.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec: {{- include "vds.podSpec" . | nindent 6 }}
{{- end }}

{{- define "vds.podSpec" -}}
{{- $c := .component -}}
serviceAccountName: {{ .fullname }}
{{ include "vds.podBasics" .root }}
terminationGracePeriodSeconds: {{ $c.terminationGracePeriodSeconds }}
{{- with include "vds.priorityClass" . }}
priorityClassName: {{ . | trim | quote }}
{{- end }}
containers:
  - {{- include "vds.container" . | nindent 4 }}
volumes: {{- include "vds.volumes" . | nindent 2 }}
topologySpreadConstraints: {{- include "vds.spread" . | nindent 2 }}
{{- include "vds.placement" (dict "at" $c) }}
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
