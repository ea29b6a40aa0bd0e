{{/* A StatefulSet's pods carry its name and a hash as a label of at most 63 characters. */}}
{{- define "devdeps.validate" -}}
{{- if not (regexMatch "^[a-z]([a-z0-9-]*[a-z0-9])?$" .Release.Name) -}}
{{- fail (printf "The release's name '%s' cannot begin the name of a Service: take one that begins with a letter and has only small letters, digits and dashes." .Release.Name) -}}
{{- end -}}
{{- if gt (len .Release.Name) 41 -}}
{{- fail (printf "The release's name '%s' is too long: with a server's name and a hash behind it 41 characters are what a label has room for." .Release.Name) -}}
{{- end -}}
{{- end }}

{{/* Labels that select a server's pods; they never change. Takes root and name. */}}
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

{{/* Ports of the servers by name; the first of each is the one that clients use. */}}
{{- define "devdeps.ports" -}}
postgres: { postgres: 5432 }
nats: { client: 4222, monitor: 8222 }
s3: { http: 7070 }
opensearch: { http: 9200 }
{{- end }}

{{/* What each server keeps, and where it looks for it. */}}
{{- define "devdeps.dataPath" -}}
{{ get (dict "postgres" "/var/lib/postgresql/data" "nats" "/data" "s3" "/data" "opensearch" "/usr/share/opensearch/data") .name }}
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

{{/* An emptyDir counts as ephemeral storage, so what keeps its data there is limited by the emptyDir's own size. */}}
{{- define "devdeps.resources" -}}
{{- $resources := deepCopy .resources -}}
{{- if not .persistence.enabled }}{{ $_ := set $resources "limits" (omit ($resources.limits | default dict) "ephemeral-storage") }}{{ end -}}
{{ toYaml $resources }}
{{- end }}
