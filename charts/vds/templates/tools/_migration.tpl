{{- define "vds.migrationHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "0"
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
helm.sh/hook-output-log-policy: hook-failed
{{- end }}

{{/*
Metadata of the migrations' ServiceAccount and NetworkPolicies, the one for all or that `of` a component. As hooks they are created before the Jobs and kept: a Job may
outlive Helm's timeout, and repairing a migration needs both. With mode `job` they are ordinary objects under another name,
so that the mode can be changed: Helm does not adopt objects that are not part of the release.
*/}}
{{- define "vds.migrationToolMetadata" -}}
{{- $of := .of | default "" -}}
{{- $annotations := .annotations | default dict -}}
{{- $it := dict "root" .root "name" (empty $of | ternary "migrate" (printf "%s-migrate" $of)) -}}
{{- if eq .root.Values.migrations.mode "hook" -}}
{{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" "-10" "helm.sh/hook-delete-policy" "before-hook-creation" -}}
{{ include "vds.metadata" (dict "it" $it "annotations" (merge $hook $annotations)) }}
{{- else -}}
{{ include "vds.metadata" (dict "it" $it "as" (printf "%s%s-migrations" (include "vds.fullname" .root) (empty $of | ternary "" (printf "-%s" $of))) "annotations" $annotations) }}
{{- end -}}
{{- end }}

{{- define "vds.migrationAccount" -}}
{{ include "vds.fullname" . }}-{{ eq .Values.migrations.mode "hook" | ternary "migrate" "migrations" }}
{{- end }}

{{/* Deadline of a Job: as a hook below Helm's default timeout of 5 minutes. */}}
{{- define "vds.migrationDeadline" -}}
{{- .Values.migrations.activeDeadlineSeconds | default (eq .Values.migrations.mode "hook" | ternary 280 1800) | int -}}
{{- end }}

{{/* Migrations run as the database's owner; only this pod gets its password. */}}
{{- define "vds.migrationPod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "vds.selector" (dict "root" $root "name" (printf "%s-migrate" .name)) | nindent 4 }}
    app.kubernetes.io/part-of: {{ $root.Chart.Name }}
    app.kubernetes.io/component: migration
    {{- with $root.Values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ include "vds.migrationAccount" $root }}
  # A started migration may finish: SIGKILL would leave it half applied.
  terminationGracePeriodSeconds: {{ include "vds.migrationDeadline" $root }}
  {{- include "vds.podBasics" $root | nindent 2 }}
  {{- with include "vds.placement" (dict "at" $root.Values.defaults) | trim }}{{ . | nindent 2 }}{{ end }}
  containers:
    - name: migrate
      image: {{ include "vds.image" (dict "root" $root "target" "migrate") }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [deploy/tools/migrate/main.ts, {{ .name }}]
      env:
        - name: DATABASE_URL
          value: {{ include "vds.databaseUrl" (dict "it" . "role" "owner") | quote }}
        {{- if eq $root.Values.external.postgres.auth "password" }}
        {{- include "vds.secretVariable" (dict "variable" "DATABASE_PASSWORD" "secret" (include "vds.secretName" .) "key" "DATABASE_OWNER_PASSWORD") | nindent 8 }}
        {{- else }}
        - { name: DATABASE_AUTH, value: {{ $root.Values.external.postgres.auth | quote }} }
        {{- end }}
        {{- if include "vds.trusts" $root }}
        - { name: NODE_EXTRA_CA_CERTS, value: /etc/vds/trust/ca.crt }
        {{- end }}
      terminationMessagePolicy: FallbackToLogsOnError
      securityContext: {{- include "vds.containerSecurity" $root | nindent 8 }}
      resources: {{- toYaml $root.Values.migrations.resources | nindent 8 }}
      volumeMounts:
        - { name: scratch, mountPath: /tmp }
        {{- if include "vds.trusts" $root }}
        - { name: trust, mountPath: /etc/vds/trust, readOnly: true }
        {{- end }}
  volumes:
    - { name: scratch, emptyDir: { sizeLimit: 64Mi } }
    {{- with include "vds.trustVolume" $root | trim }}{{ . | nindent 4 }}{{ end }}
{{- end }}
