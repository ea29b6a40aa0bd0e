// One OpenSearch 2.x node for development and tests: no security plug-in, never for production.
// Java runs it from source: java [-Dknn=false] -cp '<jars>/*' SingleNode.java <home folder> <http port> [<http address, else the loopback interface>]
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.index.rankeval.RankEvalPlugin;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.join.ParentJoinPlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.percolator.PercolatorPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.expression.ExpressionPlugin;
import org.opensearch.search.aggregations.matrix.MatrixAggregationPlugin;
import org.opensearch.transport.Netty4Plugin;

public final class SingleNode extends Node {
    private static final Collection<Class<? extends Plugin>> MODULES = List.of(
        Netty4Plugin.class, CommonAnalysisPlugin.class, MapperExtrasPlugin.class, PainlessPlugin.class, ExpressionPlugin.class,
        ReindexPlugin.class, ParentJoinPlugin.class, PercolatorPlugin.class, RankEvalPlugin.class, MatrixAggregationPlugin.class
    );

    /** The constructor that takes plug-ins from the class path is protected: hence the subclass. */
    private SingleNode(Environment environment) {
        super(environment, plugins(), false);
    }

    /** Without the plug-in for vectors if -Dknn=false, as servers that do not have it. */
    private static Collection<Class<? extends Plugin>> plugins() {
        if (System.getProperty("knn", "true").equals("false")) return MODULES;
        return Stream.concat(MODULES.stream(), Stream.of(KNNPlugin.class)).toList();
    }

    private static Settings settings(Path home, String port, String address) {
        return Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("path.logs", home.resolve("logs").toString())
            .put("cluster.name", "vds").put("node.name", "single")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.host", address).put("http.port", port).put("transport.port", "0")
            .put("http.type", "netty4").put("transport.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Files.createDirectories(home.resolve("config"));
        LogConfigurator.registerErrorListener();
        Settings settings = settings(home, arguments[1], arguments.length > 2 ? arguments[2] : "127.0.0.1");
        Node node = new SingleNode(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "single"));
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception error) {
                error.printStackTrace();
            } finally {
                closed.countDown();
            }
        }));
        node.start();
        closed.await();
    }
}
