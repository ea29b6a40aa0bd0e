{{/* The container of vdsctl: in the toolbox, and in the pod that NOTES starts with `kubectl run`. */}}
{{- define "vds.toolboxContainer" -}}
{{- $fullname := include "vds.fullname" . -}}
{{- $ports := fromYaml (include "vds.ports" .) -}}
name: vdsctl
image: {{ include "vds.image" (dict "root" . "target" "app") }}
env:
  - name: VDSCTL_TOKEN
    valueFrom: { secretKeyRef: { name: {{ $fullname }}-vdsctl, key: VDSCTL_TOKEN } }
  # Addresses that vdsctl prints.
  - { name: PLAYBACK_PUBLIC_URL, value: {{ .Values.publicUrl.playback | quote }} }
  {{- range $name, $own := .Values.components }}
  {{- if has "adminRpc" $own.ports }}
  - { name: VDSCTL_{{ upper $name }}, value: 'dns:///{{ $fullname }}-{{ $name }}:{{ $ports.adminRpc }}' }
  {{- end }}
  {{- end }}
  {{- if .Values.tls.enabled }}
  {{- range $variable, $file := fromYaml (include "vds.tlsFiles" .) }}
  - { name: {{ $variable }}, value: {{ $file }} }
  {{- end }}
  {{- end }}
securityContext: {{- include "vds.containerSecurity" . | nindent 2 }}
# One call of vdsctl takes 115 MiB.
resources:
  requests: { cpu: 10m, memory: 128Mi, ephemeral-storage: 16Mi }
  limits: { memory: 512Mi, ephemeral-storage: 128Mi }
volumeMounts:
  - { name: scratch, mountPath: /tmp }
  {{- if .Values.tls.enabled }}
  - { name: tls, mountPath: /etc/vds/tls, readOnly: true }
  {{- end }}
{{- end }}

{{- define "vds.toolboxVolumes" -}}
- { name: scratch, emptyDir: { sizeLimit: 64Mi } }
{{- if .Values.tls.enabled }}
{{- include "vds.tlsVolume" (dict "root" . "secret" (printf "%s-vdsctl" (include "vds.fullname" .))) }}
{{- end }}
{{- end }}

{{/* JSON for `kubectl run --overrides`. */}}
{{- define "vds.toolboxOverrides" -}}
{{- $spec := include "vds.podBasics" . | fromYaml -}}
{{- $container := include "vds.toolboxContainer" . | fromYaml -}}
{{- $_ := set $container "stdin" true -}}
{{- $spec = merge $spec (include "vds.placement" (dict "at" .Values.defaults) | fromYaml) -}}
{{- $_ := set $spec "containers" (list $container) -}}
{{- $_ := set $spec "volumes" (include "vds.toolboxVolumes" . | fromYamlArray) -}}
{{ dict "spec" $spec | toJson }}
{{- end }}
