// Original file: vds/indexer/v1/indexer.proto


export interface GetIndexStatusRequest {
}

export interface GetIndexStatusRequestOut {
}
