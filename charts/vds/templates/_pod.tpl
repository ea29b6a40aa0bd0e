{{/*
Every pod of the release is made here: a workload says what is its own (`spec`, with one container), and vds.pod adds what
values say of pods, the same for Deployments, Jobs, the CronJob and the test.
*/}}

{{/* Values of pods that tools take from `defaults`; those of their own block win. */}}
{{- define "vds.podKeys" -}}
annotations labels podAnnotations podLabels extraEnv extraEnvFrom extraVolumes extraVolumeMounts initContainers sidecars
nodeSelector tolerations affinity priorityClassName runtimeClassName schedulerName hostAliases hostNetwork dnsPolicy
dnsConfig podSecurityContext containerSecurityContext resourceClaims serviceAccount secretRefs secretsAs
{{- end }}

{{/* Completes the scope of a tool: root, name, at (its block of values), and optionally fullname. */}}
{{- define "vds.tool" -}}
{{- $component := dict -}}
{{- range regexSplit `\s+` (include "vds.podKeys" .) -1 -}}
{{- $_ := set $component . (get $.root.Values.defaults . | deepCopy) -}}
{{- end -}}
{{- $_ := set . "component" (mergeOverwrite $component (get .root.Values .at | deepCopy)) -}}
{{- if not .fullname }}{{ $_ := set . "fullname" (printf "%s-%s" (include "vds.fullname" .root) .name) }}{{ end -}}
{{- end }}

{{/*
The template of a pod. Scope of a workload with `kind` (service, migration, tool, test), `spec`, and optionally `checksums`
(annotations) and `account` (the ServiceAccount that the chart makes for it).
*/}}
{{- define "vds.pod" -}}
{{- $c := .component -}}
{{- $labels := mergeOverwrite (deepCopy $c.podLabels) (include "vds.podLabels" . | fromYaml) -}}
{{- $annotations := mergeOverwrite (deepCopy .root.Values.commonAnnotations) (deepCopy $c.podAnnotations) (.checksums | default dict) -}}
{{- $metadata := dict "labels" $labels -}}
{{- if $annotations }}{{ $_ := set $metadata "annotations" $annotations }}{{ end -}}
{{- $container := index .spec.containers 0 -}}
{{- include "vds.pod.container" (merge (dict "container" $container) .) -}}
{{- $spec := mergeOverwrite (include "vds.pod.spec" . | fromYaml) .spec -}}
{{- $spec = mergeOverwrite $spec (dig "patches" "pod" dict $c | deepCopy) -}}
{{ toYaml (dict "metadata" $metadata "spec" $spec) }}
{{- end }}

{{/* What values say of the pod, over what is common to all. */}}
{{- define "vds.pod.spec" -}}
{{- $c := .component -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: {{ $c.serviceAccount.automount }}
{{- with $c.serviceAccount.name | default (and $c.serviceAccount.create .account) }}
serviceAccountName: {{ . | quote }}
{{- end }}
# Kubernetes' service variables (AUTH_PORT=tcp://…) would collide with ours.
enableServiceLinks: false
{{- with concat $values.global.imagePullSecrets $values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ kindIs "map" . | ternary (get (kindIs "map" . | ternary . dict) "name") . | quote }}
  {{- end }}
{{- end }}
securityContext: {{- include "vds.pod.security" . | nindent 2 }}
{{- with $c.priorityClassName | default (include "vds.priorityClass" . | trim) }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- range $key := list "runtimeClassName" "schedulerName" "dnsPolicy" "dnsConfig" "hostAliases" "hostNetwork" "nodeSelector" "affinity" "resourceClaims" }}
{{- with get $c $key }}
{{ $key }}: {{ toJson . }}
{{- end }}
{{- end }}
tolerations:
  {{- with $c.tolerations }}{{ toYaml . | nindent 2 }}{{ end }}
  {{- range $key := list "node.kubernetes.io/not-ready" "node.kubernetes.io/unreachable" }}
  {{- if not (contains $key (toJson $c.tolerations)) }}
  {{- /* No pod keeps anything on its node; Kubernetes itself waits 300 s for a node that is gone. */}}
  - { key: {{ $key }}, operator: Exists, effect: NoExecute, tolerationSeconds: 30 }
  {{- end }}
  {{- end }}
{{- with $c.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  - {{- merge (deepCopy .) (dict "matchLabelKeys" (list "pod-template-hash") "labelSelector" (dict "matchLabels" (include "vds.selector" $ | fromYaml))) | toYaml | nindent 4 }}
  {{- end }}
{{- end }}
{{- $before := .before | default list }}
{{- range $c.sidecars }}{{ $before = append $before (merge (deepCopy .) (dict "restartPolicy" "Always")) }}{{ end }}
{{- with concat $before ($c.initContainers | default list) }}
initContainers:
  {{- range . }}
  - {{- include "vds.pod.extra" (merge (dict "container" (deepCopy .)) $) | nindent 4 }}
  {{- end }}
{{- end }}
volumes: {{- concat (.spec.volumes | default list) ($c.extraVolumes | default list) | toYaml | nindent 2 }}
{{- $_ := unset .spec "volumes" }}
{{- end }}

{{- define "vds.pod.security" -}}
{{- $security := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- range $key, $value := mergeOverwrite (deepCopy .root.Values.podSecurityContext) (deepCopy .component.podSecurityContext) -}}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $security $key $value }}{{ end -}}
{{- end -}}
{{ toYaml $security }}
{{- end }}

{{- define "vds.pod.containerSecurity" -}}
{{- $fixed := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{ mergeOverwrite $fixed (deepCopy .component.containerSecurityContext) | toYaml }}
{{- end }}

{{/* An operator's own container: as confined as the chart's, where it says nothing else. */}}
{{- define "vds.pod.extra" -}}
{{- $_ := set .container "securityContext" (mergeOverwrite (include "vds.pod.containerSecurity" . | fromYaml) (.container.securityContext | default dict)) -}}
{{ merge .container (dict "imagePullPolicy" .root.Values.image.pullPolicy "terminationMessagePolicy" "FallbackToLogsOnError") | toYaml }}
{{- end }}

{{/* Changes `container` in place by what values say of it. */}}
{{- define "vds.pod.container" -}}
{{- $c := .component -}}
{{- $container := .container -}}
{{- $_ := set $container "imagePullPolicy" .root.Values.image.pullPolicy -}}
{{- /* The last log lines of a failed container appear in the pod's status. */ -}}
{{- $_ := set $container "terminationMessagePolicy" "FallbackToLogsOnError" -}}
{{- $_ := set $container "securityContext" (include "vds.pod.containerSecurity" . | fromYaml) -}}
{{- range $key, $extra := dict "env" "extraEnv" "envFrom" "extraEnvFrom" "volumeMounts" "extraVolumeMounts" -}}
{{- with concat (get $container $key | default list) (get $c $extra | default list) }}{{ $_ := set $container $key . }}{{ end -}}
{{- end -}}
{{- range $key := list "command" "args" -}}
{{- with get $c $key }}{{ $_ := set $container $key . }}{{ end -}}
{{- end -}}
{{- $lifecycle := $container.lifecycle | default dict -}}
{{- range $hook, $handler := $c.lifecycle }}{{ $_ := set $lifecycle $hook $handler }}{{ end -}}
{{- if $lifecycle }}{{ $_ := set $container "lifecycle" $lifecycle }}{{ end -}}
{{- range $key := list "startupProbe" "readinessProbe" "livenessProbe" -}}
{{- include "vds.pod.probe" (dict "container" $container "key" $key "own" (get $c $key | default dict)) -}}
{{- end -}}
{{- if $c.diagnosticMode -}}
{{- range list "command" "startupProbe" "readinessProbe" "livenessProbe" }}{{ $_ := unset $container . }}{{ end -}}
{{- $idle := list "--eval" `process.once("SIGTERM", () => process.exit()); setInterval(() => {}, 60_000)` -}}
{{- $_ := mergeOverwrite $container (.idle | default (dict "args" $idle)) -}}
{{- end -}}
{{- $_ := mergeOverwrite $container (dig "patches" "container" dict $c | deepCopy) -}}
{{- end }}

{{/* Changes one probe of `container`: `enabled: false` removes it, another handler replaces that of the chart. */}}
{{- define "vds.pod.probe" -}}
{{- $probe := get .container .key | default dict -}}
{{- range list "exec" "grpc" "tcpSocket" -}}
{{- if hasKey $.own . }}{{ $_ := unset $probe "httpGet" }}{{ end -}}
{{- end -}}
{{- $probe = mergeOverwrite $probe (omit .own "enabled" | deepCopy) -}}
{{- if or (eq (toString .own.enabled) "false") (not $probe) }}{{ $_ := unset .container .key }}
{{- else }}{{ $_ := set .container .key $probe }}{{ end -}}
{{- end }}

{{/* Name of a component's PriorityClass, if it has one. */}}
{{- define "vds.priorityClass" -}}
{{- if .component.priority -}}
{{- $class := get .root.Values.priorityClasses .component.priority -}}
{{- if $class.name }}{{ $class.name }}
{{- else if .root.Values.priorityClasses.create }}
{{- $facts := list (include "vds.namespace" .root) .root.Release.Name .component.priority (int $class.value) $class.preemptionPolicy -}}
{{- printf "%s-%s-%s-%s" (include "vds.namespace" .root) (include "vds.fullname" .root) .component.priority (toJson $facts | sha256sum | trunc 8) -}}
{{- end }}
{{- end }}
{{- end }}
