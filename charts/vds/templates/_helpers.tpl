{{/* At most 40 characters (vds.validate.release.name), to leave room for the component and a suffix. */}}
{{- define "vds.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- .Values.fullnameOverride | default (contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name)) -}}
{{- end }}

{{- define "vds.namespace" -}}
{{- .Values.namespaceOverride | default .Release.Namespace -}}
{{- end }}

{{/*
Fills the dict `into` with a scope for each component: root, name, component (its block over `defaults`), fullname, at
(where its values are).
It fills a dict passed by reference because a define can only return text, and text would lose `root`.
*/}}
{{- define "vds.scopes" -}}
{{- $root := .root -}}
{{- $into := .into -}}
{{- range $name, $own := $root.Values.components -}}
{{- $component := mergeOverwrite (deepCopy $root.Values.defaults) (deepCopy $own) -}}
{{- $fullname := printf "%s-%s" (include "vds.fullname" $root) $name -}}
{{- if $component.enabled }}{{ $_ := set $into $name (dict "root" $root "name" $name "component" $component "fullname" $fullname "at" (printf "components.%s" $name)) }}{{ end -}}
{{- end -}}
{{- end }}

{{/* The same, and that of the edge, where it is on: its clients are playback's. */}}
{{- define "vds.workloads" -}}
{{- include "vds.scopes" . -}}
{{- $values := .root.Values -}}
{{- if and $values.edge.enabled .into.playback -}}
{{- $own := dict "ports" (list "http") "priority" "serving" "clients" .into.playback.component.clients -}}
{{- $component := mergeOverwrite (deepCopy $values.defaults) (deepCopy $values.edge) $own -}}
{{- $fullname := printf "%s-edge" (include "vds.fullname" .root) -}}
{{- $_ := set .into "edge" (dict "root" .root "name" "edge" "component" $component "fullname" $fullname "at" "edge") -}}
{{- end -}}
{{- end }}

{{/* Name and port of the Service through which viewers or partners reach a component: that of the edge for playback behind it. */}}
{{- define "vds.front" -}}
{{- $all := dict }}{{ include "vds.workloads" (dict "root" .root "into" $all) -}}
{{- $it := and (eq .name "playback") $all.edge | default . -}}
{{ dict "name" $it.fullname "port" ($it.component.service.port | default 8080) "service" $it.component.service | toJson }}
{{- end }}

{{/* The fewest pods that a component has: its replicas, or the minimum of its autoscaler. */}}
{{- define "vds.leastReplicas" -}}
{{- $c := .component -}}
{{- $c.autoscaling.enabled | ternary $c.autoscaling.minReplicas ($c.keda.enabled | ternary $c.keda.minReplicas $c.replicas) -}}
{{- end }}

{{/* The most pods that a component may have: its replicas, or the maximum of its autoscaler. */}}
{{- define "vds.mostReplicas" -}}
{{- $c := .component -}}
{{- $c.autoscaling.enabled | ternary $c.autoscaling.maxReplicas ($c.keda.enabled | ternary $c.keda.maxReplicas $c.replicas) -}}
{{- end }}

{{/* Port numbers, the same in every component. */}}
{{- define "vds.ports" -}}
admin: 9090
http: 8080
rpc: 50051
adminRpc: 50052
{{- end }}

{{/* Reference of the image `target`, by digest if one is given. */}}
{{- define "vds.image" -}}
{{- $image := .root.Values.image -}}
{{- $repository := get $image.repositories .target | default (printf "%s/%s" $image.repository .target) -}}
{{- $tag := $image.tag | default .root.Chart.AppVersion -}}
{{ include "vds.imageReference" (dict "root" .root "repository" $repository "tag" $tag "digest" (get $image.digests .target)) }}
{{- end }}

{{/* `repository` with its tag or digest, from the registry for all images if there is one. */}}
{{- define "vds.imageReference" -}}
{{- $repository := .repository -}}
{{- with .root.Values.global.imageRegistry -}}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) (regexReplaceAll `^(localhost|[^/]*[.:][^/]*)/` $repository "") -}}
{{- end -}}
{{ $repository }}{{ empty .digest | ternary (printf ":%s" .tag) (printf "@%s" .digest) }}
{{- end }}

{{/* Labels that select a component's pods; selectors are immutable, so these never change. */}}
{{- define "vds.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/name: {{ .name | quote }}
{{- end }}

{{- define "vds.labels" -}}
{{ include "vds.selector" . }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
Labels of a pod: those of its objects, and what kind of pod it is, by which the policy that denies by default selects. Those
of migrations have no version, so that Jobs named by their content stay as they are.
*/}}
{{- define "vds.podLabels" -}}
{{- $labels := include "vds.labels" . | fromYaml -}}
{{- if eq .kind "migration" }}{{ $labels = omit $labels "app.kubernetes.io/version" "app.kubernetes.io/managed-by" "helm.sh/chart" }}{{ end -}}
{{ toYaml $labels }}
app.kubernetes.io/component: {{ .kind }}
{{- end }}

{{/*
Metadata of an object of `it` (root and name): named `as`, by default <release>-<name>, with commonAnnotations and
`annotations` over them, and with `labels` under its own. `scope: cluster` leaves out the namespace.
*/}}
{{- define "vds.metadata" -}}
name: {{ .as | default (printf "%s-%s" (include "vds.fullname" .it.root) .it.name) | quote }}
{{- with .namespace | default (ne (.scope | default "") "cluster" | ternary .it.root.Values.namespaceOverride "") }}
namespace: {{ . | quote }}
{{- end }}
{{- $own := include "vds.labels" .it }}
labels: {{- with .labels }}{{ mergeOverwrite (deepCopy .) (fromYaml $own) | toYaml | nindent 2 }}{{ else }}{{ nindent 2 $own }}{{ end }}
{{- with mergeOverwrite (deepCopy .it.root.Values.commonAnnotations) (.annotations | default dict) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The ServiceAccount `account` of a workload, unless it uses one that exists. */}}
{{- define "vds.serviceAccount" -}}
{{- $own := .it.component.serviceAccount -}}
{{- if $own.create }}
{{- $annotations := mergeOverwrite (deepCopy $own.annotations) (.annotations | default dict) }}
---
apiVersion: v1
kind: ServiceAccount
metadata: {{- include "vds.metadata" (dict "it" .it "as" ($own.name | default .account) "annotations" $annotations "labels" $own.labels) | nindent 2 }}
automountServiceAccountToken: {{ $own.automount }}
{{- end }}
{{- end }}
