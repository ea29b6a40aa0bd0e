// Original file: vds/indexer/v1/indexer.proto


export interface GetReindexRequest {
}

export interface GetReindexRequestOut {
}
