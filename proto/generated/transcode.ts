import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AudioRendition as _vds_transcode_v1_AudioRendition, AudioRenditionOut as _vds_transcode_v1_AudioRenditionOut } from './vds/transcode/v1/AudioRendition.ts';
import type { GetLadderRequest as _vds_transcode_v1_GetLadderRequest, GetLadderRequestOut as _vds_transcode_v1_GetLadderRequestOut } from './vds/transcode/v1/GetLadderRequest.ts';
import type { GetPreviewRequest as _vds_transcode_v1_GetPreviewRequest, GetPreviewRequestOut as _vds_transcode_v1_GetPreviewRequestOut } from './vds/transcode/v1/GetPreviewRequest.ts';
import type { Ladder as _vds_transcode_v1_Ladder, LadderOut as _vds_transcode_v1_LadderOut } from './vds/transcode/v1/Ladder.ts';
import type { Preview as _vds_transcode_v1_Preview, PreviewOut as _vds_transcode_v1_PreviewOut } from './vds/transcode/v1/Preview.ts';
import type { PreviewAudio as _vds_transcode_v1_PreviewAudio, PreviewAudioOut as _vds_transcode_v1_PreviewAudioOut } from './vds/transcode/v1/PreviewAudio.ts';
import type { PreviewPlaylist as _vds_transcode_v1_PreviewPlaylist, PreviewPlaylistOut as _vds_transcode_v1_PreviewPlaylistOut } from './vds/transcode/v1/PreviewPlaylist.ts';
import type { Rung as _vds_transcode_v1_Rung, RungOut as _vds_transcode_v1_RungOut } from './vds/transcode/v1/Rung.ts';
import type { TranscodeServiceClient as _vds_transcode_v1_TranscodeServiceClient, TranscodeServiceDefinition as _vds_transcode_v1_TranscodeServiceDefinition } from './vds/transcode/v1/TranscodeService.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    transcode: {
      v1: {
        AudioRendition: MessageTypeDefinition<_vds_transcode_v1_AudioRendition, _vds_transcode_v1_AudioRenditionOut>
        GetLadderRequest: MessageTypeDefinition<_vds_transcode_v1_GetLadderRequest, _vds_transcode_v1_GetLadderRequestOut>
        GetPreviewRequest: MessageTypeDefinition<_vds_transcode_v1_GetPreviewRequest, _vds_transcode_v1_GetPreviewRequestOut>
        Ladder: MessageTypeDefinition<_vds_transcode_v1_Ladder, _vds_transcode_v1_LadderOut>
        Preview: MessageTypeDefinition<_vds_transcode_v1_Preview, _vds_transcode_v1_PreviewOut>
        PreviewAudio: MessageTypeDefinition<_vds_transcode_v1_PreviewAudio, _vds_transcode_v1_PreviewAudioOut>
        PreviewPlaylist: MessageTypeDefinition<_vds_transcode_v1_PreviewPlaylist, _vds_transcode_v1_PreviewPlaylistOut>
        Rung: MessageTypeDefinition<_vds_transcode_v1_Rung, _vds_transcode_v1_RungOut>
        TranscodeService: SubtypeConstructor<typeof grpc.Client, _vds_transcode_v1_TranscodeServiceClient> & { service: _vds_transcode_v1_TranscodeServiceDefinition }
      }
    }
  }
}

