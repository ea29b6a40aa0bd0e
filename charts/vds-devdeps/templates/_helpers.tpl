{{/* A label of a StatefulSet's pods holds its name and a hash, in at most 63 characters. */}}
{{- define "devdeps.validate" -}}
{{- if not (regexMatch "^[a-z]([a-z0-9-]*[a-z0-9])?$" .Release.Name) -}}
{{- fail (printf "release name '%s' is not a valid prefix for Service names: start with a letter and use only lowercase letters, digits and dashes." .Release.Name) -}}
{{- end -}}
{{- if gt (len .Release.Name) 41 -}}
{{- fail (printf "release name '%s' is too long: it may have at most 41 characters, as a label holds it with a server's name and a hash." .Release.Name) -}}
{{- end -}}
{{- end }}

{{/* Labels that select a server's pods; selectors are immutable, so these never change. Takes root and name. */}}
{{- define "devdeps.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/name: {{ .name }}
{{- end }}

{{- define "devdeps.labels" -}}
{{ include "devdeps.selector" . }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "devdeps.adminSecret" -}}
{{ .Values.adminSecret | default (printf "%s-admin" .Release.Name) }}
{{- end }}

{{/* The Secret of a component of chart vds. */}}
{{- define "devdeps.componentSecret" -}}
{{ printf "%s-%s" .root.Values.vdsFullname .component }}
{{- end }}

{{/* Ports of the servers by name; clients use the first of each. */}}
{{- define "devdeps.ports" -}}
postgres: { postgres: 5432 }
nats: { client: 4222, monitor: 8222 }
s3: { http: 7070 }
opensearch: { http: 9200 }
speech: { http: 8000 }
translation: { http: 5000 }
{{- end }}

{{/* Every server, in the order of the manifests. */}}
{{- define "devdeps.servers" -}}
[postgres, nats, s3, opensearch, speech, translation]
{{- end }}

{{/* Data folder of each server. */}}
{{- define "devdeps.dataPath" -}}
{{ get (dict "postgres" "/var/lib/postgresql/data" "nats" "/data" "s3" "/data" "opensearch" "/usr/share/opensearch/data" "speech" "/models" "translation" "/models") .name }}
{{- end }}

{{- define "devdeps.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "devdeps.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "devdeps.pullSecrets" -}}
{{- with .Values.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "devdeps.image" -}}
{{ printf "%s:%s" .image.repository (.image.tag | default .root.Chart.AppVersion) }}
{{- end }}

{{/* An emptyDir counts as ephemeral storage: without persistence only the emptyDir's own size limits it. */}}
{{- define "devdeps.resources" -}}
{{- $resources := deepCopy .resources -}}
{{- if not .persistence.enabled }}{{ $_ := set $resources "limits" (omit ($resources.limits | default dict) "ephemeral-storage") }}{{ end -}}
{{ toYaml $resources }}
{{- end }}
