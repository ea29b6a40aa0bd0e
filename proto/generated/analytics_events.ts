import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Companion as _vds_analytics_v1_Companion, CompanionOut as _vds_analytics_v1_CompanionOut } from './vds/analytics/v1/Companion.ts';
import type { VideoInterest as _vds_analytics_v1_VideoInterest, VideoInterestOut as _vds_analytics_v1_VideoInterestOut } from './vds/analytics/v1/VideoInterest.ts';
import type { VideosWatched as _vds_analytics_v1_VideosWatched, VideosWatchedOut as _vds_analytics_v1_VideosWatchedOut } from './vds/analytics/v1/VideosWatched.ts';
import type { WatchedTogether as _vds_analytics_v1_WatchedTogether, WatchedTogetherOut as _vds_analytics_v1_WatchedTogetherOut } from './vds/analytics/v1/WatchedTogether.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    analytics: {
      v1: {
        Companion: MessageTypeDefinition<_vds_analytics_v1_Companion, _vds_analytics_v1_CompanionOut>
        VideoInterest: MessageTypeDefinition<_vds_analytics_v1_VideoInterest, _vds_analytics_v1_VideoInterestOut>
        VideosWatched: MessageTypeDefinition<_vds_analytics_v1_VideosWatched, _vds_analytics_v1_VideosWatchedOut>
        WatchedTogether: MessageTypeDefinition<_vds_analytics_v1_WatchedTogether, _vds_analytics_v1_WatchedTogetherOut>
      }
    }
  }
}

