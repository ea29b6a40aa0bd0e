import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Chapter as _vds_metadata_v1_Chapter, ChapterOut as _vds_metadata_v1_ChapterOut } from './vds/metadata/v1/Chapter.ts';
import type { ChapterTitle as _vds_metadata_v1_ChapterTitle, ChapterTitleOut as _vds_metadata_v1_ChapterTitleOut } from './vds/metadata/v1/ChapterTitle.ts';
import type { Evidence as _vds_metadata_v1_Evidence, EvidenceOut as _vds_metadata_v1_EvidenceOut } from './vds/metadata/v1/Evidence.ts';
import type { GetMetadataRequest as _vds_metadata_v1_GetMetadataRequest, GetMetadataRequestOut as _vds_metadata_v1_GetMetadataRequestOut } from './vds/metadata/v1/GetMetadataRequest.ts';
import type { Interval as _vds_metadata_v1_Interval, IntervalOut as _vds_metadata_v1_IntervalOut } from './vds/metadata/v1/Interval.ts';
import type { KeyMoment as _vds_metadata_v1_KeyMoment, KeyMomentOut as _vds_metadata_v1_KeyMomentOut } from './vds/metadata/v1/KeyMoment.ts';
import type { Label as _vds_metadata_v1_Label, LabelOut as _vds_metadata_v1_LabelOut } from './vds/metadata/v1/Label.ts';
import type { Metadata as _vds_metadata_v1_Metadata, MetadataOut as _vds_metadata_v1_MetadataOut } from './vds/metadata/v1/Metadata.ts';
import type { MetadataServiceClient as _vds_metadata_v1_MetadataServiceClient, MetadataServiceDefinition as _vds_metadata_v1_MetadataServiceDefinition } from './vds/metadata/v1/MetadataService.ts';
import type { Passage as _vds_metadata_v1_Passage, PassageOut as _vds_metadata_v1_PassageOut } from './vds/metadata/v1/Passage.ts';
import type { Scene as _vds_metadata_v1_Scene, SceneOut as _vds_metadata_v1_SceneOut } from './vds/metadata/v1/Scene.ts';
import type { ScreenText as _vds_metadata_v1_ScreenText, ScreenTextOut as _vds_metadata_v1_ScreenTextOut } from './vds/metadata/v1/ScreenText.ts';
import type { Shot as _vds_metadata_v1_Shot, ShotOut as _vds_metadata_v1_ShotOut } from './vds/metadata/v1/Shot.ts';
import type { Span as _vds_metadata_v1_Span, SpanOut as _vds_metadata_v1_SpanOut } from './vds/metadata/v1/Span.ts';
import type { Topic as _vds_metadata_v1_Topic, TopicOut as _vds_metadata_v1_TopicOut } from './vds/metadata/v1/Topic.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    metadata: {
      v1: {
        Chapter: MessageTypeDefinition<_vds_metadata_v1_Chapter, _vds_metadata_v1_ChapterOut>
        ChapterTitle: MessageTypeDefinition<_vds_metadata_v1_ChapterTitle, _vds_metadata_v1_ChapterTitleOut>
        Evidence: MessageTypeDefinition<_vds_metadata_v1_Evidence, _vds_metadata_v1_EvidenceOut>
        GetMetadataRequest: MessageTypeDefinition<_vds_metadata_v1_GetMetadataRequest, _vds_metadata_v1_GetMetadataRequestOut>
        Interval: MessageTypeDefinition<_vds_metadata_v1_Interval, _vds_metadata_v1_IntervalOut>
        KeyMoment: MessageTypeDefinition<_vds_metadata_v1_KeyMoment, _vds_metadata_v1_KeyMomentOut>
        Label: MessageTypeDefinition<_vds_metadata_v1_Label, _vds_metadata_v1_LabelOut>
        Metadata: MessageTypeDefinition<_vds_metadata_v1_Metadata, _vds_metadata_v1_MetadataOut>
        /**
         * Served on the admin port too.
         */
        MetadataService: SubtypeConstructor<typeof grpc.Client, _vds_metadata_v1_MetadataServiceClient> & { service: _vds_metadata_v1_MetadataServiceDefinition }
        Passage: MessageTypeDefinition<_vds_metadata_v1_Passage, _vds_metadata_v1_PassageOut>
        Scene: MessageTypeDefinition<_vds_metadata_v1_Scene, _vds_metadata_v1_SceneOut>
        ScreenText: MessageTypeDefinition<_vds_metadata_v1_ScreenText, _vds_metadata_v1_ScreenTextOut>
        Shot: MessageTypeDefinition<_vds_metadata_v1_Shot, _vds_metadata_v1_ShotOut>
        Span: MessageTypeDefinition<_vds_metadata_v1_Span, _vds_metadata_v1_SpanOut>
        Topic: MessageTypeDefinition<_vds_metadata_v1_Topic, _vds_metadata_v1_TopicOut>
      }
    }
  }
}

