{{/* Stages in catalog whose work a component does; empty where it has none, or where others call it all the time. */}}
{{- define "vds.stagesOf" -}}
{{- get (dict "ingest" "fetch" "captions" "captions") .name -}}
{{- end }}

{{/*
PromQL: `own`, or 1 while catalog has open stages of the component, whichever is more. catalog reports the age of every
stage, also while none is open: without it the query has no result, and the number of pods stays.
*/}}
{{- define "vds.backlogFromZero" -}}
{{- $from := printf `{namespace="%s",release="%s",service="catalog",stage=~"%s"}` (include "vds.namespace" .root) .root.Release.Name (include "vds.stagesOf" .) -}}
{{- $open := printf "clamp_max(max(vds_catalog_open_stages%s) or 0 * max(vds_catalog_silent_seconds%s), 1)" $from $from -}}
{{ printf "(%s) > (%s) or (%s) or (%s)" .own $open $open .own }}
{{- end }}
