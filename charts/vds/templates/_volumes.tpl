{{/* Volumes and mounts of pods: what of the cluster becomes files. */}}

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
{{- $creds := include "vds.secretOf" (dict "it" . "key" "NATS_CREDS") | fromJson }}
- { name: nats, secret: { secretName: {{ $creds.name | quote }}, items: [{{ dict "key" $creds.key "path" "nats.creds" | toJson }}] } }
{{- end }}
{{- include "vds.secretsVolume" (dict "it" . "keys" (include "vds.secretKeys" . | splitList " " | compact)) }}
{{- if and (eq $c.sources "fetches") .root.Values.ingest.caConfigMap }}
- { name: sources, configMap: { name: {{ .root.Values.ingest.caConfigMap | quote }} } }
{{- end }}
{{- if include "vds.speechModel" . }}
- { name: speech-model, persistentVolumeClaim: { claimName: {{ .root.Values.speech.modelClaim | quote }}, readOnly: true } }
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
{{- include "vds.secretsMount" . }}
{{- if and (eq $c.sources "fetches") .root.Values.ingest.caConfigMap }}
- { name: sources, mountPath: /etc/vds/sources, readOnly: true }
{{- end }}
{{- with include "vds.speechModel" . }}
- { name: speech-model, mountPath: {{ . }}, readOnly: true }
{{- end }}
{{- end }}
