// Original file: vds/auth/v1/auth.proto


export interface RotateSigningKeyRequest {
}

export interface RotateSigningKeyRequestOut {
}
