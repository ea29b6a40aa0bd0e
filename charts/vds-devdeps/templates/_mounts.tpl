{{/* Mounts of a server's data and files. Takes root, name, server. */}}
{{- define "devdeps.mounts" -}}
{{- if eq .name "s3" }}
# Two folders of one volume, so that lost+found is not listed as a bucket.
- { name: data, mountPath: /data/objects, subPath: objects }
- { name: data, mountPath: /data/iam, subPath: iam }
{{- else }}
- { name: data, mountPath: {{ include "devdeps.dataPath" . }} }
{{- end }}
- { name: tmp, mountPath: /tmp }
{{- if eq .name "postgres" }}
- { name: admin, mountPath: /etc/admin, readOnly: true }
{{- end }}
{{- if eq .name "nats" }}
- { name: config, mountPath: /etc/nats, readOnly: true }
{{- end }}
{{- if eq .name "opensearch" }}
- { name: config, mountPath: /usr/share/opensearch/config }
- { name: logs, mountPath: /usr/share/opensearch/logs }
{{- end }}
{{- if eq .name "translation" }}
- { name: db, mountPath: /app/db }
{{- end }}
{{- end }}

{{- define "devdeps.volumes" -}}
- { name: tmp, emptyDir: { sizeLimit: 256Mi } }
{{- if not .server.persistence.enabled }}
- { name: data, emptyDir: { sizeLimit: {{ .server.persistence.size }} } }
{{- end }}
{{- if eq .name "postgres" }}
- name: admin
  secret:
    secretName: {{ include "devdeps.adminSecret" .root }}
    defaultMode: 0440
    items: [{ key: postgres-password, path: postgres-password }]
{{- end }}
{{- if eq .name "nats" }}
- { name: config, configMap: { name: {{ .root.Release.Name }}-nats } }
{{- end }}
{{- if eq .name "opensearch" }}
- { name: config, emptyDir: { sizeLimit: 16Mi } }
- { name: logs, emptyDir: { sizeLimit: 256Mi } }
{{- end }}
{{- if eq .name "translation" }}
# Where its start makes a folder for metrics.
- { name: db, emptyDir: { sizeLimit: 64Mi } }
{{- end }}
{{- end }}
