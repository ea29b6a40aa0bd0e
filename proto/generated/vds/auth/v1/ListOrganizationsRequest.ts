// Original file: vds/auth/v1/auth.proto


export interface ListOrganizationsRequest {
}

export interface ListOrganizationsRequestOut {
}
