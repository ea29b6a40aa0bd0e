// Original file: vds/auth/v1/auth.proto


export interface ExchangeStaffTokenRequest {
}

export interface ExchangeStaffTokenRequestOut {
}
