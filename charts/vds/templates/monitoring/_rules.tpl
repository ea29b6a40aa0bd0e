{{/*
The expression of VdsComponentMissing with the components of this release instead of those in the file, without components
that KEDA may scale to 0.
*/}}
{{- define "vds.componentMissing" -}}
{{- $line := regexFind `label_replace\(count by .*` .expr -}}
{{- $lines := list -}}
{{- range $name, $it := .scopes -}}
{{- $keda := $it.component.keda -}}
{{- if not (and $keda.enabled (lt (int $keda.minReplicas) 1)) -}}
{{- $lines = append $lines (regexReplaceAll `"service", "\w+"` $line (printf `"service", %q` $name)) -}}
{{- end -}}
{{- end -}}
{{- printf "(\n  %s\n)\n" (join "\n  or " $lines) -}}
{{- regexReplaceAllLiteral `(?s)^\(\n.*?\n\)\n` .expr "" -}}
{{- end }}
