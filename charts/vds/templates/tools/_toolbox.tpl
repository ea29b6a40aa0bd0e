{{/* The container of vdsctl: in the toolbox, in the nightly look, and in the pod that NOTES starts with `kubectl run`. */}}
{{- define "vds.toolboxContainer" -}}
{{- $root := .root -}}
{{- $fullname := include "vds.fullname" $root -}}
{{- $ports := fromYaml (include "vds.ports" $root) -}}
{{- $scopes := dict }}{{ include "vds.scopes" (dict "root" $root "into" $scopes) -}}
name: vdsctl
image: {{ include "vds.image" (dict "root" $root "target" "app") }}
env:
  - name: VDSCTL_TOKEN
    valueFrom: { secretKeyRef: { name: {{ $fullname }}-vdsctl, key: VDSCTL_TOKEN } }
  # Addresses that vdsctl prints.
  - { name: PLAYBACK_PUBLIC_URL, value: {{ $root.Values.publicUrl.playback | quote }} }
  {{- range $name, $it := $scopes }}
  {{- if has "adminRpc" $it.component.ports }}
  - { name: VDSCTL_{{ upper $name }}, value: 'dns:///{{ $it.fullname }}:{{ $ports.adminRpc }}' }
  {{- end }}
  {{- end }}
  {{- if $root.Values.tls.enabled }}
  {{- range $variable, $file := fromYaml (include "vds.tlsFiles" $root) }}
  - { name: {{ $variable }}, value: {{ $file }} }
  {{- end }}
  {{- end }}
resources: {{- toYaml .component.resources | nindent 2 }}
volumeMounts:
  - { name: scratch, mountPath: /tmp }
  {{- if $root.Values.tls.enabled }}
  - { name: tls, mountPath: /etc/vds/tls, readOnly: true }
  {{- end }}
{{- end }}

{{- define "vds.toolboxVolumes" -}}
- { name: scratch, emptyDir: { sizeLimit: 64Mi } }
{{- if .Values.tls.enabled }}
{{- include "vds.tlsVolume" (dict "root" . "secret" (printf "%s-vdsctl" (include "vds.fullname" .))) }}
{{- end }}
{{- end }}

{{/* A pod of vdsctl: `it` is a completed tool, `container` and `spec` are what its workload adds. */}}
{{- define "vds.toolboxPod" -}}
{{- $container := mergeOverwrite (include "vds.toolboxContainer" .it | fromYaml) (.container | default dict) -}}
{{- $spec := mergeOverwrite (dict "containers" (list $container) "volumes" (include "vds.toolboxVolumes" .it.root | fromYamlArray)) (.spec | default dict) -}}
{{ include "vds.pod" (merge (dict "kind" "tool" "spec" $spec "account" (.account | default "")) .it) }}
{{- end }}

{{/* JSON for `kubectl run --overrides`, to be put between single quotes. */}}
{{- define "vds.toolboxOverrides" -}}
{{- $it := dict "root" . "name" "vdsctl" "at" "toolbox" }}{{ include "vds.tool" $it -}}
{{- $pod := include "vds.toolboxPod" (dict "it" $it "container" (dict "stdin" true)) | fromYaml -}}
{{ dict "spec" $pod.spec | toJson | replace "'" "\\u0027" }}
{{- end }}
