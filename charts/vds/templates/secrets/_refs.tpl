{{/* Where a pod's credentials are: keys of its Secret, or of those that `secretRefs` names, as variables or as files. */}}

{{/* Name and key of the Secret with the credential `key` of `it`, as JSON. */}}
{{- define "vds.secretOf" -}}
{{- $own := get .it.component.secretRefs .key | default dict -}}
{{- $name := $own.name | default "" | replace "<component>" .it.name | default (include "vds.secretName" .it) -}}
{{ dict "name" $name "key" ($own.key | default .key) | toJson }}
{{- end }}

{{/* The variable `variable` with the credential `key` (by default of the same name): its value, or `file:` and its path. */}}
{{- define "vds.secretVariable" -}}
{{- if eq .it.component.secretsAs "files" -}}
- { name: {{ .variable }}, value: "file:/etc/vds/secrets/{{ .key | default .variable }}" }
{{- else -}}
{{- $of := include "vds.secretOf" (dict "it" .it "key" (.key | default .variable)) | fromJson -}}
- name: {{ .variable }}
  valueFrom: { secretKeyRef: { name: {{ $of.name | quote }}, key: {{ $of.key | quote }} } }
{{- end }}
{{- end }}

{{- define "vds.secretsVolume" -}}
{{- if and .keys (eq .it.component.secretsAs "files") }}
- name: secrets
  projected:
    sources:
      {{- range $key := .keys }}
      {{- $of := include "vds.secretOf" (dict "it" $.it "key" $key) | fromJson }}
      - secret: { name: {{ $of.name | quote }}, items: [{{ dict "key" $of.key "path" $key | toJson }}] }
      {{- end }}
{{- end }}
{{- end }}

{{- define "vds.secretsMount" -}}
{{- if eq .component.secretsAs "files" }}
- { name: secrets, mountPath: /etc/vds/secrets, readOnly: true }
{{- end }}
{{- end }}
