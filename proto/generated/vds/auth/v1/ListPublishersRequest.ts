// Original file: vds/auth/v1/auth.proto


export interface ListPublishersRequest {
}

export interface ListPublishersRequestOut {
}
