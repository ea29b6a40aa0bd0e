{{/* Contradictory values stop the render with one sentence that says what to change. */}}
{{- define "vds.validate" -}}
{{- include "vds.validate.release.name" . -}}
{{- include "vds.validate.external" . -}}
{{- include "vds.validate.addresses" . -}}
{{- include "vds.validate.release" . -}}
{{- include "vds.validate.sources" . -}}
{{- $scopes := dict }}{{ include "vds.scopes" (dict "root" $ "into" $scopes) -}}
{{- include "vds.validate.secrets" (dict "root" . "scopes" $scopes) -}}
{{- include "vds.validate.prefixes" (dict "root" . "scopes" $scopes) -}}
{{- range $name, $it := $scopes -}}
{{- include "vds.validate.identity" $it -}}
{{- include "vds.validate.policies" $it -}}
{{- include "vds.validate.variables" $it -}}
{{- include "vds.validate.relations" (merge (dict "scopes" $scopes) $it) -}}
{{- include "vds.validate.scaling" (merge (dict "scopes" $scopes) $it) -}}
{{- include "vds.validate.exposure" $it -}}
{{- end -}}
{{- if .Values.edge.enabled -}}{{- include "vds.validate.edge" (dict "root" . "scopes" $scopes) -}}{{- end -}}
{{- end }}

{{/* Not empty if a component of the release has `fact`, a database on its own server aside. */}}
{{- define "vds.anyUses" -}}
{{- range $name, $it := .scopes -}}
{{- if and (get $it.component $.fact) (not (and (eq $.fact "database") $it.component.postgres.host)) }}yes{{ end -}}
{{- end -}}
{{- end }}

{{- define "vds.validate.external" -}}
{{- $external := .Values.external -}}
{{- $guarded := .Values.networkPolicy.enabled -}}
{{- $scopes := dict }}{{ include "vds.scopes" (dict "root" $ "into" $scopes) -}}
{{- $needs := list
  (list "database" "postgres" "host" "postgres.example.com")
  (list "events" "nats" "url" "nats://nats.example.com:4222")
  (list "buckets" "s3" "endpoint" "https://s3.example.com")
  (list "search" "opensearch" "url" "https://search.example.com:9200") -}}
{{- range $need := $needs -}}
{{- $server := get $external (index $need 1) -}}
{{- if include "vds.anyUses" (dict "scopes" $scopes "fact" (index $need 0)) -}}
{{- if not (get $server (index $need 2)) -}}
{{- fail (printf "external.%s.%s is empty: set its address, such as %s." (index $need 1) (index $need 2) (index $need 3)) -}}
{{- end -}}
{{- if and $guarded (eq $server.policy "peers") (not $server.peers) -}}
{{- fail (printf "external.%s.peers is empty: list the peers through which network policies allow %s, such as [{ipBlock: {cidr: 10.0.8.5/32}}], or set its policy to port or fqdn, or networkPolicy.enabled to false." (index $need 1) (index $need 1)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $direct := .Values.migrations.postgres -}}
{{- if and $guarded $direct.host (eq $direct.policy "peers") (not $direct.peers) -}}
{{- fail "migrations.postgres.peers is empty: list the peers of the server behind the pooler, through which network policies allow migrations, or set its policy to port or fqdn." -}}
{{- end -}}
{{- if and $direct.peers (not $direct.host) -}}
{{- fail "migrations.postgres.peers is set, but host is not: set both, or list the peers of the shared server in external.postgres.peers." -}}
{{- end -}}
{{- if and $guarded $external.otlp.endpoint (eq $external.otlp.policy "peers") (not $external.otlp.peers) -}}
{{- fail "external.otlp.peers is empty: list the collector's peers for the network policies, or leave external.otlp.endpoint empty." -}}
{{- end -}}
{{- if and $guarded .Values.apps.enabled (not .Values.apps.peers) -}}
{{- fail "apps.peers is empty: list the pods of the platform's apps, which get playback tokens from auth and find videos in indexer, such as [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: apps}}}], or set apps.enabled to false if nothing calls them." -}}
{{- end -}}
{{- if not .Values.publicUrl.playback -}}
{{- fail "publicUrl.playback is empty: set the URL at which viewers reach playback, such as https://play.example.com." -}}
{{- end -}}
{{- end }}

{{- define "vds.validate.release" -}}
{{- $v := .Values -}}
{{- if and $v.apps.certificateNamespace (ne (dig "kind" "Issuer" $v.tls.certManager.issuerRef) "ClusterIssuer") -}}
{{- fail "apps.certificateNamespace needs a ClusterIssuer in tls.certManager.issuerRef: an Issuer signs in its own namespace alone." -}}
{{- end -}}
{{- if and $v.networkPolicy.enabled (not $v.networkPolicy.dns.peers) -}}
{{- fail "networkPolicy.dns.peers is empty: list the cluster's DNS, or no pod can resolve names." -}}
{{- end -}}
{{- range $v.networkPolicy.dns.peers -}}
{{- $labels := dig "namespaceSelector" "matchLabels" dict . -}}
{{- if and $v.networkPolicy.enabled (not .ipBlock) (or (not $labels) (contains "matchExpressions" (toJson .))) (include "vds.hasFqdn" $) -}}
{{- fail "a server has policy fqdn, but a peer in networkPolicy.dns.peers has no namespaceSelector.matchLabels, or has matchExpressions: Cilium's rule for DNS takes labels or an ipBlock alone." -}}
{{- end -}}
{{- end -}}
{{- if and $v.networkPolicy.enabled $v.monitoring.serviceMonitors.enabled (not $v.networkPolicy.metrics.peers) -}}
{{- fail "networkPolicy.metrics.peers is empty: list your Prometheus, or network policies block its scrapes (monitoring.serviceMonitors.enabled)." -}}
{{- end -}}
{{- if and $v.defaults.serviceAccount.create $v.defaults.serviceAccount.name -}}
{{- fail (printf "defaults.serviceAccount.name is '%s' for every pod, and each would create it: set defaults.serviceAccount.create to false, or a name for one component." $v.defaults.serviceAccount.name) -}}
{{- end -}}
{{- $read := or $v.monitoring.serviceMonitors.enabled $v.monitoring.ownTargets -}}
{{- if and $v.monitoring.rules.enabled (not $read) -}}
{{- fail "monitoring.rules.enabled needs monitoring.serviceMonitors.enabled, or alerts on missing targets never stop firing: enable them, or set monitoring.ownTargets if your Prometheus discovers the pods itself." -}}
{{- end -}}
{{- if and $v.tls.certManager.enabled (not $v.tls.enabled) -}}
{{- fail "tls.certManager.enabled needs tls.enabled: set both, or neither." -}}
{{- end -}}
{{- if and $v.tls.certManager.enabled (not $v.tls.certManager.issuerRef.name) -}}
{{- fail "tls.certManager.issuerRef.name is empty: set the CA issuer that signs the components' certificates." -}}
{{- end -}}
{{- if and $v.trust.configMap $v.trust.secret -}}
{{- fail "trust.configMap and trust.secret are both set: put all CAs into one of them." -}}
{{- end -}}
{{- if and $v.externalSecrets.enabled (not $v.externalSecrets.secretStoreRef.name) -}}
{{- fail "externalSecrets.secretStoreRef.name is empty: set the store that holds the credentials." -}}
{{- end -}}
{{- if and $v.externalSecrets.enabled (eq $v.migrations.mode "hook") -}}
{{- fail "externalSecrets.enabled needs migrations.mode job or none: hooks run before the Secrets are created and would wait for them forever." -}}
{{- end -}}
{{- if and $v.tests.sourceUrl (not $v.tests.keySecret.name) -}}
{{- fail "tests.sourceUrl needs tests.keySecret.name: the Secret with the API key to submit it." -}}
{{- end -}}
{{- if and $v.tests.keySecret.name (not $v.tests.sourceUrl) -}}
{{- fail "tests.keySecret.name needs tests.sourceUrl: the URL of a video to submit with this key." -}}
{{- end -}}
{{- end }}

{{- define "vds.validate.sources" -}}
{{- $ingest := .Values.ingest -}}
{{- $v4 := `((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])` -}}
{{- $v6 := `[0-9a-fA-F]*:[0-9a-fA-F:]*:[0-9a-fA-F]*` -}}
{{- $port := `:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})` -}}
{{- range $ingest.privateSources -}}
{{- if not (regexMatch (printf `^([^:=\[\]\s]+|\[%s\])%s=(%s|\[%s\])(%s)?$` $v6 $port $v4 $v6 $port) .) -}}
{{- fail (printf "ingest.privateSources has '%s': use host:port=ip[:port], such as media.internal:443=10.0.3.7:8443, with an IPv6 address in brackets." .) -}}
{{- end -}}
{{- end -}}
{{- range $ingest.dnsServers -}}
{{- if not (regexMatch (printf `^(%s(%s)?|%s|\[%s\](%s)?)$` $v4 $port $v6 $v6 $port) .) -}}
{{- fail (printf "ingest.dnsServers has '%s': use ip[:port], such as 10.0.0.53 or [fd00::53]:5353." .) -}}
{{- end -}}
{{- end -}}
{{- range $ingest.blockedCidrs -}}
{{- if not (regexMatch (printf `^(%s(/([1-9]|[12][0-9]|3[0-2]))?|%s(/([4-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?)$` $v4 $v6) .) -}}
{{- fail (printf "ingest.blockedCidrs has '%s': use a range such as 198.41.0.0/24 or 2606:4700::/32, smaller than the whole Internet." .) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Peers, grace periods, variables and scratch of a component. */}}
{{- define "vds.validate.relations" -}}
{{- $c := .component -}}
{{- $name := .name -}}
{{- range $c.peers -}}
{{- $peer := get $.scopes . -}}
{{- if not $peer -}}
{{- fail (printf "components.%s.peers has '%s', which is not a component: add it, or remove it from the list." $name .) -}}
{{- else if not (has "rpc" $peer.component.ports) -}}
{{- fail (printf "components.%s.peers has '%s', which has no rpc port: add rpc to its ports, or remove it from the list." $name .) -}}
{{- end -}}
{{- end -}}
{{- if ge (add (int $c.drainSeconds) (include "vds.leaveSeconds" $c | int) 10) (int $c.terminationGracePeriodSeconds) -}}
{{- fail (printf "components.%s.drainSeconds (%d) leaves less than 10 s of terminationGracePeriodSeconds (%d) for shutdown: raise the latter." $name (int $c.drainSeconds) (int $c.terminationGracePeriodSeconds)) -}}
{{- end -}}
{{- range $variable, $value := $c.env -}}
{{- if regexMatch "(PASSWORD|TOKEN|SECRET|KEY)$" $variable -}}
{{- fail (printf "components.%s.env.%s looks like a credential: put it into the component's Secret and add its key to `secrets`." $name $variable) -}}
{{- end -}}
{{- end -}}
{{- with include "vds.programsMemory" $c -}}
{{- if lt (float64 .) 268435456.0 -}}
{{- fail (printf "components.%s.programsReserve (%s) leaves less than 256Mi of resources.limits.memory (%v) to its programs: raise the latter." $name $c.programsReserve (dig "limits" "memory" "" $c.resources)) -}}
{{- end -}}
{{- end -}}
{{- $limit := dig "limits" "ephemeral-storage" "" $c.resources -}}
{{- if and $limit (gt (include "vds.bytes" $c.scratch | float64) (include "vds.bytes" $limit | float64)) -}}
{{- fail (printf "components.%s.scratch (%s) exceeds resources.limits.ephemeral-storage (%v), at which the pod is evicted: raise the latter." $name $c.scratch $limit) -}}
{{- end -}}
{{- end }}

{{- define "vds.bytes" -}}
{{- $amount := kindIs "string" . | ternary . (printf "%.0f" (float64 .)) -}}
{{- $units := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 -}}
{{- printf "%.0f" (mulf (float64 (regexFind "^[0-9.]+" $amount)) (get $units (regexFind "[A-Za-z]+$" $amount) | default 1)) -}}
{{- end }}

{{- define "vds.validate.scaling" -}}
{{- $at := .at -}}
{{- $hpa := .component.autoscaling -}}
{{- $keda := .component.keda -}}
{{- if and $hpa.enabled $keda.enabled -}}
{{- fail (printf "%s has autoscaling.enabled and keda.enabled, which both set the number of pods: disable one." $at) -}}
{{- end -}}
{{- if and $hpa.enabled (gt (int $hpa.minReplicas) (int $hpa.maxReplicas)) -}}
{{- fail (printf "%s.autoscaling.minReplicas (%d) exceeds maxReplicas (%d): raise the latter." $at (int $hpa.minReplicas) (int $hpa.maxReplicas)) -}}
{{- end -}}
{{- if and $keda.enabled (gt (int $keda.minReplicas) (int $keda.maxReplicas)) -}}
{{- fail (printf "%s.keda.minReplicas (%d) exceeds maxReplicas (%d): raise the latter." $at (int $keda.minReplicas) (int $keda.maxReplicas)) -}}
{{- end -}}
{{- if and $hpa.enabled (not (or $hpa.targetCPUUtilizationPercentage $hpa.targetMemoryUtilizationPercentage $hpa.metrics)) -}}
{{- fail (printf "%s.autoscaling.enabled has nothing to scale by: set a target, or metrics." $at) -}}
{{- end -}}
{{- if and $hpa.enabled $hpa.targetCPUUtilizationPercentage (not (dig "requests" "cpu" "" .component.resources)) -}}
{{- fail (printf "%s.autoscaling.enabled needs resources.requests.cpu: its target is a percentage of it." $at) -}}
{{- end -}}
{{- if and $keda.enabled (not $keda.serverAddress) -}}
{{- fail (printf "%s.keda.serverAddress is empty: set the address of Prometheus, such as http://prometheus.monitoring:9090." $at) -}}
{{- end -}}
{{- if and $keda.enabled (not $keda.query) (not .component.database) -}}
{{- fail (printf "%s.keda.query is empty: this component has no job queue, so set the PromQL to scale by." $at) -}}
{{- end -}}
{{- if and $keda.enabled (include "vds.callersOf" (merge (dict "scopes" (.scopes | default dict)) .) | trim) (lt (int $keda.minReplicas) 1) -}}
{{- fail (printf "%s.keda.minReplicas is 0, but other components call it: set at least 1." $at) -}}
{{- end -}}
{{- if and $keda.enabled (not $keda.query) (lt (int $keda.minReplicas) 1) (not (include "vds.stagesOf" .)) -}}
{{- fail (printf "%s.keda.minReplicas is 0, but only its own pods report its backlog: set at least 1, or a query on other metrics." $at) -}}
{{- end -}}
{{- $monitoring := .root.Values.monitoring -}}
{{- if and $keda.enabled (not $keda.query) (not (or $monitoring.serviceMonitors.enabled $monitoring.ownTargets)) -}}
{{- fail (printf "%s.keda.enabled needs monitoring.serviceMonitors.enabled, through which Prometheus reads its backlog: enable them, set %s.keda.query, or set monitoring.ownTargets if your Prometheus discovers the pods itself." $at $at) -}}
{{- end -}}
{{- end }}

{{- define "vds.validate.exposure" -}}
{{- $c := .component -}}
{{- $at := .at -}}
{{- $http := has "http" $c.ports -}}
{{- if and (or $c.ingress.enabled $c.httpRoute.enabled) (not $http) -}}
{{- fail (printf "%s has an ingress or httpRoute, but no http port: disable it." $at) -}}
{{- end -}}
{{- if and $c.ingress.enabled (not $c.ingress.hosts) -}}
{{- fail (printf "%s.ingress.hosts is empty: list its host names." $at) -}}
{{- end -}}
{{- if and $c.httpRoute.enabled (not $c.httpRoute.parentRefs) -}}
{{- fail (printf "%s.httpRoute.parentRefs is empty: list its Gateways." $at) -}}
{{- end -}}
{{- if and $c.rpcRoute.enabled (not (and (has "rpc" $c.ports) $c.rpcRoute.parentRefs $c.rpcRoute.hostnames)) -}}
{{- fail (printf "%s.rpcRoute needs an rpc port, parentRefs and hostnames: set them, or disable it." $at) -}}
{{- end -}}
{{- if and .root.Values.networkPolicy.enabled $http (not $c.clients) -}}
{{- fail (printf "%s.clients is empty: list who may reach its http port, such as your ingress controller, or [{ipBlock: {cidr: 0.0.0.0/0}}] for everyone." $at) -}}
{{- end -}}
{{- if and $c.service.nodePort (eq $c.service.type "ClusterIP") -}}
{{- fail (printf "%s.service.nodePort is set, but service.type is ClusterIP: set it to NodePort or LoadBalancer." $at) -}}
{{- end -}}
{{- if and $c.service.externalTrafficPolicy (eq $c.service.type "ClusterIP") -}}
{{- fail (printf "%s.service.externalTrafficPolicy is set, but service.type is ClusterIP: set it to NodePort or LoadBalancer." $at) -}}
{{- end -}}
{{- end }}

{{- define "vds.validate.edge" -}}
{{- if not .scopes.playback -}}
{{- fail "edge.enabled needs components.playback, before which it is: set edge.enabled to false." -}}
{{- end -}}
{{- if .scopes.edge -}}
{{- fail "components.edge has the name of the edge: rename this component, or set edge.enabled to false." -}}
{{- end -}}
{{- $all := dict }}{{ include "vds.workloads" (dict "root" .root "into" $all) -}}
{{- include "vds.validate.scaling" $all.edge -}}
{{- include "vds.validate.exposure" $all.edge -}}
{{- $size := $all.edge.component.cache.size -}}
{{- if lt (include "vds.bytes" $size | float64) 2147483648.0 -}}
{{- fail (printf "edge.cache.size (%s) is less than 2Gi, of which answers of the gate take 512Mi: raise it." $size) -}}
{{- end -}}
{{- end }}
