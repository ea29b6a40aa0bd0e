{{- define "vds.migrationHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "0"
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
helm.sh/hook-output-log-policy: hook-failed
{{- end }}

{{/*
Metadata of the migrations' NetworkPolicies, the one for all or that `of` a component. Like their ServiceAccount they are as hooks created before the Jobs and kept: a Job may
outlive Helm's timeout, and repairing a migration needs both. With mode `job` they are ordinary objects under another name,
so that the mode can be changed: Helm does not adopt objects that are not part of the release.
*/}}
{{- define "vds.migrationToolMetadata" -}}
{{- $of := .of | default "" -}}
{{- $it := dict "root" .root "name" (empty $of | ternary "migrate" (printf "%s-migrate" $of)) -}}
{{- if eq .root.Values.migrations.mode "hook" -}}
{{ include "vds.metadata" (dict "it" $it "annotations" (include "vds.migrationToolHook" .root | fromYaml)) }}
{{- else -}}
{{ include "vds.metadata" (dict "it" $it "as" (printf "%s%s-migrations" (include "vds.fullname" .root) (empty $of | ternary "" (printf "-%s" $of)))) }}
{{- end -}}
{{- end }}

{{- define "vds.migrationToolHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "-10"
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{- define "vds.migrationAccount" -}}
{{ include "vds.fullname" . }}-{{ eq .Values.migrations.mode "hook" | ternary "migrate" "migrations" }}
{{- end }}

{{/* Deadline of a Job: as a hook below Helm's default timeout of 5 minutes. */}}
{{- define "vds.migrationDeadline" -}}
{{- .Values.migrations.activeDeadlineSeconds | default (eq .Values.migrations.mode "hook" | ternary 280 1800) | int -}}
{{- end }}

{{/* Migrations run as the database's owner; only this pod gets its password. `it` is that of a component. */}}
{{- define "vds.migrationPod" -}}
{{- $root := .root -}}
{{- $tool := dict "root" $root "name" (printf "%s-migrate" .name) "at" "migrations" }}{{ include "vds.tool" $tool -}}
{{ include "vds.pod" (merge (dict "kind" "migration" "account" (include "vds.migrationAccount" $root) "spec" (include "vds.migrationSpec" . | fromYaml)) $tool) }}
{{- end }}

{{- define "vds.migrationSpec" -}}
{{- $root := .root -}}
restartPolicy: Never
# A started migration may finish: SIGKILL would leave it half applied.
terminationGracePeriodSeconds: {{ include "vds.migrationDeadline" $root }}
containers:
  - name: migrate
    image: {{ include "vds.image" (dict "root" $root "target" "migrate") }}
    args: [deploy/tools/migrate/main.ts, {{ .name }}]
    env:
      - name: DATABASE_URL
        value: {{ include "vds.databaseUrl" (dict "it" . "role" "owner") | quote }}
      {{- if eq $root.Values.external.postgres.auth "password" }}
      {{- include "vds.secretVariable" (dict "it" . "variable" "DATABASE_PASSWORD" "key" "DATABASE_OWNER_PASSWORD") | nindent 6 }}
      {{- else }}
      - { name: DATABASE_AUTH, value: {{ $root.Values.external.postgres.auth | quote }} }
      {{- end }}
      {{- if include "vds.trusts" $root }}
      - { name: NODE_EXTRA_CA_CERTS, value: /etc/vds/trust/ca.crt }
      {{- end }}
    resources: {{- toYaml $root.Values.migrations.resources | nindent 6 }}
    volumeMounts:
      - { name: scratch, mountPath: /tmp }
      {{- if include "vds.trusts" $root }}
      - { name: trust, mountPath: /etc/vds/trust, readOnly: true }
      {{- end }}
      {{- if eq $root.Values.external.postgres.auth "password" }}{{ include "vds.secretsMount" . | nindent 6 }}{{ end }}
volumes:
  - { name: scratch, emptyDir: { sizeLimit: 64Mi } }
  {{- with include "vds.trustVolume" $root | trim }}{{ . | nindent 2 }}{{ end }}
  {{- include "vds.secretsVolume" (dict "it" . "keys" (eq $root.Values.external.postgres.auth "password" | ternary (list "DATABASE_OWNER_PASSWORD") list)) | nindent 2 }}
{{- end }}
