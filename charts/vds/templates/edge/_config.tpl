{{/* Where the cache is mounted, the only folder that nginx writes. It makes the folders below. */}}
{{- define "vds.edge.cache" -}}
/var/cache/edge
{{- end }}

{{/*
deploy/edge/nginx.conf with its placeholders replaced. `auto` would be the cores of the node, each worker with 8 MiB for its
connections: two for each requested core leave room for bursts. Media get what the volume has beside the answers of the gate
(512 MiB) and files in flight.
*/}}
{{- define "vds.edge.config" -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" .root) -}}
{{- $listen := $c.ipv6 | ternary "[::]:%v ipv6only=off" "%v" -}}
{{- $scopes := dict }}{{ include "vds.scopes" (dict "root" .root "into" $scopes) -}}
{{- $playback := $scopes.playback -}}
{{- $bytes := include "vds.bytes" $c.cache.size | int64 -}}
{{- $workers := mul 2 (max 1 (include "vds.bytes" (dig "requests" "cpu" "" $c.resources | default 1) | int)) -}}
{{- $text := .root.Files.Get "files/generated/nginx.conf" | replace "worker_processes auto;" (printf "worker_processes %d;" $workers) -}}
{{- $text = regexReplaceAll "^(#.*\n)+" $text "" -}}
{{- range $name, $value := dict
  "PORT" (printf $listen $ports.http)
  "ADMIN_PORT" (printf $listen $ports.admin)
  "PLAYBACK" (printf "%s:%v" $playback.fullname ($playback.component.service.port | default $ports.http))
  "CACHE" (include "vds.edge.cache" .root)
  "CACHE_SIZE" (printf "%dm" (sub (div (mul $bytes 9) 10485760) 512)) -}}
{{- $text = $text | replace (printf "${%s}" $name) $value -}}
{{- end -}}
{{ $text }}
{{- end }}
