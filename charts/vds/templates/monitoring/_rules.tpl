{{/*
The expression of VdsComponentMissing with the components of this release instead of those in the file, without components
that KEDA may scale to 0. The page is for those that partners, viewers or the apps call, the ticket for the others.
*/}}
{{- define "vds.componentMissing" -}}
{{- $line := regexFind `label_replace\(count by .*` .rule.expr -}}
{{- $lines := list -}}
{{- range $name, $it := .scopes -}}
{{- $keda := $it.component.keda -}}
{{- $called := or (has "http" $it.component.ports) $it.component.servesApps -}}
{{- if and (eq $called (eq $.rule.labels.severity "page")) (not (and $keda.enabled (lt (int $keda.minReplicas) 1))) -}}
{{- $lines = append $lines (regexReplaceAllLiteral `"service", "\w+"` $line (printf `"service", %s` (quote $name))) -}}
{{- end -}}
{{- end -}}
{{- printf "(\n  %s\n)\n" (join "\n  or " $lines) -}}
{{- regexReplaceAllLiteral `(?s)^\(\n.*?\n\)\n` .rule.expr "" -}}
{{- end }}

{{/* What monitoring.rules.alerts says of a rule, applied to it; nothing if it is disabled. */}}
{{- define "vds.ownAlert" -}}
{{- $rule := .rule -}}
{{- $own := dig $rule.alert $rule.labels.severity dict .values.alerts -}}
{{- $path := printf "monitoring.rules.alerts.%s.%s" $rule.alert $rule.labels.severity -}}
{{- if hasKey $own "threshold" -}}
{{- if contains "vds:setting" $rule.expr -}}
{{- fail (printf "%s.threshold: its threshold is a service level, so set monitoring.rules.settings." $path) -}}
{{- else if not (contains "# threshold" $rule.expr) -}}
{{- fail (printf "%s.threshold: its expression has no threshold, so set `for`, `severity` or `disabled`." $path) -}}
{{- end -}}
{{- $_ := set $rule "expr" (regexReplaceAll `(>=|<=|>|<) [^#\n]*# threshold` $rule.expr (printf "${1} %v # threshold" $own.threshold)) -}}
{{- end -}}
{{- with $own.for }}{{ $_ := set $rule "for" . }}{{ end -}}
{{- $severity := get .values.severities ($own.severity | default $rule.labels.severity) -}}
{{- $_ := set $rule "labels" (merge (dict "severity" $severity) $rule.labels .values.additionalRuleLabels) -}}
{{- if not $own.disabled }}{{ toYaml $rule }}{{ end -}}
{{- end }}
