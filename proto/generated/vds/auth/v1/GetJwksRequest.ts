// Original file: vds/auth/v1/auth.proto


export interface GetJwksRequest {
}

export interface GetJwksRequestOut {
}
