{{/* Common to every pod of the release, including migrations, tests and the toolbox. */}}
{{- define "vds.podBasics" -}}
automountServiceAccountToken: false
# Kubernetes' service variables (AUTH_PORT=tcp://…) would collide with ours.
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- range $key, $value := .Values.podSecurityContext }}
  {{- if not (kindIs "invalid" $value) }}
  {{ $key }}: {{ kindIs "float64" $value | ternary (int64 $value) $value | toJson }}
  {{- end }}
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "vds.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* nodeSelector, tolerations and affinity of `at`. */}}
{{- define "vds.placement" -}}
{{- range $field := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $.at $field }}
{{ $field }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Not empty if a CA for the external servers is given. */}}
{{- define "vds.trusts" -}}
{{- if or .Values.trust.configMap .Values.trust.secret }}yes{{ end }}
{{- end }}

{{- define "vds.trustVolume" -}}
{{- $item := dict "key" .Values.trust.key "path" "ca.crt" -}}
{{- with .Values.trust.configMap }}
- { name: trust, configMap: { name: {{ . | quote }}, items: [{{ toJson $item }}] } }
{{- end }}
{{- with .Values.trust.secret }}
- { name: trust, secret: { secretName: {{ . | quote }}, items: [{{ toJson $item }}] } }
{{- end }}
{{- end }}

{{/* The certificate beside `secret`, with the CAs of `tls.authorities` instead of its own if they are given. */}}
{{- define "vds.tlsVolume" -}}
{{- $secret := printf "%s-tls" .secret }}
{{- $authorities := .root.Values.tls.authorities }}
{{- if $authorities.configMap }}
- name: tls
  projected:
    sources:
      - secret: { name: {{ $secret | quote }}, items: [{ key: tls.crt, path: tls.crt }, { key: tls.key, path: tls.key }] }
      - configMap: { name: {{ $authorities.configMap | quote }}, items: [{{ dict "key" $authorities.key "path" "ca.crt" | toJson }}] }
{{- else }}
- { name: tls, secret: { secretName: {{ $secret | quote }} } }
{{- end }}
{{- end }}

{{/* Where the component finds a speech model of a volume; empty for the image's. */}}
{{- define "vds.speechModel" -}}
{{- if and (eq .name "captions") .root.Values.speech.modelClaim }}/models{{ end }}
{{- end }}

{{- define "vds.volumes" -}}
{{- $c := .component -}}
- { name: scratch, emptyDir: { sizeLimit: {{ $c.scratch }} } }
{{- if include "vds.hasTls" . }}
{{- include "vds.tlsVolume" (dict "root" .root "secret" (include "vds.secretName" .)) }}
{{- end }}
{{- include "vds.trustVolume" .root }}
{{- if include "vds.hasNatsCreds" . }}
- { name: nats, secret: { secretName: {{ include "vds.secretName" . | quote }}, items: [{{ dict "key" "NATS_CREDS" "path" "nats.creds" | toJson }}] } }
{{- end }}
{{- if and (eq $c.sources "fetches") .root.Values.ingest.caConfigMap }}
- { name: sources, configMap: { name: {{ .root.Values.ingest.caConfigMap | quote }} } }
{{- end }}
{{- if include "vds.speechModel" . }}
- { name: speech-model, persistentVolumeClaim: { claimName: {{ .root.Values.speech.modelClaim | quote }}, readOnly: true } }
{{- end }}
{{- with $c.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "vds.volumeMounts" -}}
{{- $c := .component -}}
- { name: scratch, mountPath: /tmp }
{{- if include "vds.hasTls" . }}
- { name: tls, mountPath: /etc/vds/tls, readOnly: true }
{{- end }}
{{- if include "vds.trusts" .root }}
- { name: trust, mountPath: /etc/vds/trust, readOnly: true }
{{- end }}
{{- if include "vds.hasNatsCreds" . }}
- { name: nats, mountPath: /etc/vds/nats, readOnly: true }
{{- end }}
{{- if and (eq $c.sources "fetches") .root.Values.ingest.caConfigMap }}
- { name: sources, mountPath: /etc/vds/sources, readOnly: true }
{{- end }}
{{- with include "vds.speechModel" . }}
- { name: speech-model, mountPath: {{ . }}, readOnly: true }
{{- end }}
{{- with $c.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
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

{{/* Spreads replicas over nodes and zones where possible. */}}
{{- define "vds.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "vds.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* Name of a component's PriorityClass, if it has one. */}}
{{- define "vds.priorityClass" -}}
{{- $class := get .root.Values.priorityClasses .component.priority -}}
{{- if $class.name }}{{ $class.name }}
{{- else if .root.Values.priorityClasses.create }}
{{- $facts := list .root.Release.Namespace .root.Release.Name .component.priority (int $class.value) $class.preemptionPolicy -}}
{{- printf "%s-%s-%s-%s" .root.Release.Namespace (include "vds.fullname" .root) .component.priority (toJson $facts | sha256sum | trunc 8) -}}
{{- end }}
{{- end }}
