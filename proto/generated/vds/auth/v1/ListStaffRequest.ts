// Original file: vds/auth/v1/auth.proto


export interface ListStaffRequest {
}

export interface ListStaffRequestOut {
}
