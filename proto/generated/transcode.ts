import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AudioRendition as _vds_transcode_v1_AudioRendition, AudioRenditionOut as _vds_transcode_v1_AudioRenditionOut } from './vds/transcode/v1/AudioRendition.ts';
import type { EarlyAudio as _vds_transcode_v1_EarlyAudio, EarlyAudioOut as _vds_transcode_v1_EarlyAudioOut } from './vds/transcode/v1/EarlyAudio.ts';
import type { EarlyPlayback as _vds_transcode_v1_EarlyPlayback, EarlyPlaybackOut as _vds_transcode_v1_EarlyPlaybackOut } from './vds/transcode/v1/EarlyPlayback.ts';
import type { EarlyPlaylist as _vds_transcode_v1_EarlyPlaylist, EarlyPlaylistOut as _vds_transcode_v1_EarlyPlaylistOut } from './vds/transcode/v1/EarlyPlaylist.ts';
import type { GetEarlyPlaybackRequest as _vds_transcode_v1_GetEarlyPlaybackRequest, GetEarlyPlaybackRequestOut as _vds_transcode_v1_GetEarlyPlaybackRequestOut } from './vds/transcode/v1/GetEarlyPlaybackRequest.ts';
import type { GetLadderRequest as _vds_transcode_v1_GetLadderRequest, GetLadderRequestOut as _vds_transcode_v1_GetLadderRequestOut } from './vds/transcode/v1/GetLadderRequest.ts';
import type { Ladder as _vds_transcode_v1_Ladder, LadderOut as _vds_transcode_v1_LadderOut } from './vds/transcode/v1/Ladder.ts';
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
        EarlyAudio: MessageTypeDefinition<_vds_transcode_v1_EarlyAudio, _vds_transcode_v1_EarlyAudioOut>
        EarlyPlayback: MessageTypeDefinition<_vds_transcode_v1_EarlyPlayback, _vds_transcode_v1_EarlyPlaybackOut>
        EarlyPlaylist: MessageTypeDefinition<_vds_transcode_v1_EarlyPlaylist, _vds_transcode_v1_EarlyPlaylistOut>
        GetEarlyPlaybackRequest: MessageTypeDefinition<_vds_transcode_v1_GetEarlyPlaybackRequest, _vds_transcode_v1_GetEarlyPlaybackRequestOut>
        GetLadderRequest: MessageTypeDefinition<_vds_transcode_v1_GetLadderRequest, _vds_transcode_v1_GetLadderRequestOut>
        Ladder: MessageTypeDefinition<_vds_transcode_v1_Ladder, _vds_transcode_v1_LadderOut>
        Rung: MessageTypeDefinition<_vds_transcode_v1_Rung, _vds_transcode_v1_RungOut>
        TranscodeService: SubtypeConstructor<typeof grpc.Client, _vds_transcode_v1_TranscodeServiceClient> & { service: _vds_transcode_v1_TranscodeServiceDefinition }
      }
    }
  }
}

