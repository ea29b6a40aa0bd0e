// Original file: vds/catalog/v1/catalog.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AdminVideoRequest as _vds_catalog_v1_AdminVideoRequest, AdminVideoRequestOut as _vds_catalog_v1_AdminVideoRequestOut } from '../../../vds/catalog/v1/AdminVideoRequest.ts';
import type { Budgets as _vds_catalog_v1_Budgets, BudgetsOut as _vds_catalog_v1_BudgetsOut } from '../../../vds/catalog/v1/Budgets.ts';
import type { DailyUse as _vds_catalog_v1_DailyUse, DailyUseOut as _vds_catalog_v1_DailyUseOut } from '../../../vds/catalog/v1/DailyUse.ts';
import type { GetBudgetsRequest as _vds_catalog_v1_GetBudgetsRequest, GetBudgetsRequestOut as _vds_catalog_v1_GetBudgetsRequestOut } from '../../../vds/catalog/v1/GetBudgetsRequest.ts';
import type { GetDailyUseRequest as _vds_catalog_v1_GetDailyUseRequest, GetDailyUseRequestOut as _vds_catalog_v1_GetDailyUseRequestOut } from '../../../vds/catalog/v1/GetDailyUseRequest.ts';
import type { History as _vds_catalog_v1_History, HistoryOut as _vds_catalog_v1_HistoryOut } from '../../../vds/catalog/v1/History.ts';
import type { ListAuditReply as _vds_catalog_v1_ListAuditReply, ListAuditReplyOut as _vds_catalog_v1_ListAuditReplyOut } from '../../../vds/catalog/v1/ListAuditReply.ts';
import type { ListAuditRequest as _vds_catalog_v1_ListAuditRequest, ListAuditRequestOut as _vds_catalog_v1_ListAuditRequestOut } from '../../../vds/catalog/v1/ListAuditRequest.ts';
import type { ListPublisherVideosReply as _vds_catalog_v1_ListPublisherVideosReply, ListPublisherVideosReplyOut as _vds_catalog_v1_ListPublisherVideosReplyOut } from '../../../vds/catalog/v1/ListPublisherVideosReply.ts';
import type { ListPublisherVideosRequest as _vds_catalog_v1_ListPublisherVideosRequest, ListPublisherVideosRequestOut as _vds_catalog_v1_ListPublisherVideosRequestOut } from '../../../vds/catalog/v1/ListPublisherVideosRequest.ts';
import type { ListUsageReply as _vds_catalog_v1_ListUsageReply, ListUsageReplyOut as _vds_catalog_v1_ListUsageReplyOut } from '../../../vds/catalog/v1/ListUsageReply.ts';
import type { ListUsageRequest as _vds_catalog_v1_ListUsageRequest, ListUsageRequestOut as _vds_catalog_v1_ListUsageRequestOut } from '../../../vds/catalog/v1/ListUsageRequest.ts';
import type { ReconcileReply as _vds_catalog_v1_ReconcileReply, ReconcileReplyOut as _vds_catalog_v1_ReconcileReplyOut } from '../../../vds/catalog/v1/ReconcileReply.ts';
import type { ReconcileRequest as _vds_catalog_v1_ReconcileRequest, ReconcileRequestOut as _vds_catalog_v1_ReconcileRequestOut } from '../../../vds/catalog/v1/ReconcileRequest.ts';
import type { RerunStageRequest as _vds_catalog_v1_RerunStageRequest, RerunStageRequestOut as _vds_catalog_v1_RerunStageRequestOut } from '../../../vds/catalog/v1/RerunStageRequest.ts';
import type { SetBudgetsRequest as _vds_catalog_v1_SetBudgetsRequest, SetBudgetsRequestOut as _vds_catalog_v1_SetBudgetsRequestOut } from '../../../vds/catalog/v1/SetBudgetsRequest.ts';
import type { VideoDetails as _vds_catalog_v1_VideoDetails, VideoDetailsOut as _vds_catalog_v1_VideoDetailsOut } from '../../../vds/catalog/v1/VideoDetails.ts';

/**
 * The operator's commands; served on the admin port only.
 */
export interface CatalogAdminClient extends grpc.Client {
  /**
   * What the operator allows a publisher beyond the limits of its keys, and what it has used.
   */
  GetBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  GetBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  GetBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  GetBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  /**
   * What the operator allows a publisher beyond the limits of its keys, and what it has used.
   */
  getBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  getBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  getBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  getBudgets(argument: _vds_catalog_v1_GetBudgetsRequest, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  
  /**
   * How much of each daily budget is used today (UTC, by the database clock).
   */
  GetDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  GetDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  GetDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  GetDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  /**
   * How much of each daily budget is used today (UTC, by the database clock).
   */
  getDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  getDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  getDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  getDailyUse(argument: _vds_catalog_v1_GetDailyUseRequest, callback: grpc.requestCallback<_vds_catalog_v1_DailyUseOut>): grpc.ClientUnaryCall;
  
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  /**
   * The audit of videos and of publishers' budgets, newest first.
   */
  ListAudit(argument: _vds_catalog_v1_ListAuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  ListAudit(argument: _vds_catalog_v1_ListAuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  ListAudit(argument: _vds_catalog_v1_ListAuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  ListAudit(argument: _vds_catalog_v1_ListAuditRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  /**
   * The audit of videos and of publishers' budgets, newest first.
   */
  listAudit(argument: _vds_catalog_v1_ListAuditRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  listAudit(argument: _vds_catalog_v1_ListAuditRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  listAudit(argument: _vds_catalog_v1_ListAuditRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  listAudit(argument: _vds_catalog_v1_ListAuditRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListAuditReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * The videos of a publisher, or of all, newest first.
   */
  ListPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  ListPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  ListPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  ListPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  /**
   * The videos of a publisher, or of all, newest first.
   */
  listPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  listPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  listPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  listPublisherVideos(argument: _vds_catalog_v1_ListPublisherVideosRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListPublisherVideosReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * What publishers used in a month, by their ids. INVALID_ARGUMENT for no month.
   */
  ListUsage(argument: _vds_catalog_v1_ListUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  ListUsage(argument: _vds_catalog_v1_ListUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  ListUsage(argument: _vds_catalog_v1_ListUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  ListUsage(argument: _vds_catalog_v1_ListUsageRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  /**
   * What publishers used in a month, by their ids. INVALID_ARGUMENT for no month.
   */
  listUsage(argument: _vds_catalog_v1_ListUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  listUsage(argument: _vds_catalog_v1_ListUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  listUsage(argument: _vds_catalog_v1_ListUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  listUsage(argument: _vds_catalog_v1_ListUsageRequest, callback: grpc.requestCallback<_vds_catalog_v1_ListUsageReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Compares videos with what their owners report of them, and repairs what differs.
   */
  Reconcile(argument: _vds_catalog_v1_ReconcileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  Reconcile(argument: _vds_catalog_v1_ReconcileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  Reconcile(argument: _vds_catalog_v1_ReconcileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  Reconcile(argument: _vds_catalog_v1_ReconcileRequest, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  /**
   * Compares videos with what their owners report of them, and repairs what differs.
   */
  reconcile(argument: _vds_catalog_v1_ReconcileRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  reconcile(argument: _vds_catalog_v1_ReconcileRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  reconcile(argument: _vds_catalog_v1_ReconcileRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  reconcile(argument: _vds_catalog_v1_ReconcileRequest, callback: grpc.requestCallback<_vds_catalog_v1_ReconcileReplyOut>): grpc.ClientUnaryCall;
  
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  /**
   * Runs a stage that does not block `ready` again in the same attempt, for example with better engines.
   */
  RerunStage(argument: _vds_catalog_v1_RerunStageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RerunStage(argument: _vds_catalog_v1_RerunStageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RerunStage(argument: _vds_catalog_v1_RerunStageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RerunStage(argument: _vds_catalog_v1_RerunStageRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  /**
   * Runs a stage that does not block `ready` again in the same attempt, for example with better engines.
   */
  rerunStage(argument: _vds_catalog_v1_RerunStageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  rerunStage(argument: _vds_catalog_v1_RerunStageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  rerunStage(argument: _vds_catalog_v1_RerunStageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  rerunStage(argument: _vds_catalog_v1_RerunStageRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  /**
   * Starts a failed video again as a new attempt.
   */
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  /**
   * Starts a failed video again as a new attempt.
   */
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  /**
   * Applies from now on. INVALID_ARGUMENT for no budget, or a negative one.
   */
  SetBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  SetBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  SetBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  SetBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  /**
   * Applies from now on. INVALID_ARGUMENT for no budget, or a negative one.
   */
  setBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  setBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  setBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  setBudgets(argument: _vds_catalog_v1_SetBudgetsRequest, callback: grpc.requestCallback<_vds_catalog_v1_BudgetsOut>): grpc.ClientUnaryCall;
  
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
}

/**
 * The operator's commands; served on the admin port only.
 */
export interface CatalogAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * What the operator allows a publisher beyond the limits of its keys, and what it has used.
   */
  GetBudgets: grpc.handleUnaryCall<_vds_catalog_v1_GetBudgetsRequestOut, _vds_catalog_v1_Budgets>;
  
  /**
   * How much of each daily budget is used today (UTC, by the database clock).
   */
  GetDailyUse: grpc.handleUnaryCall<_vds_catalog_v1_GetDailyUseRequestOut, _vds_catalog_v1_DailyUse>;
  
  GetHistory: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_History>;
  
  HoldVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  /**
   * The audit of videos and of publishers' budgets, newest first.
   */
  ListAudit: grpc.handleUnaryCall<_vds_catalog_v1_ListAuditRequestOut, _vds_catalog_v1_ListAuditReply>;
  
  /**
   * The videos of a publisher, or of all, newest first.
   */
  ListPublisherVideos: grpc.handleUnaryCall<_vds_catalog_v1_ListPublisherVideosRequestOut, _vds_catalog_v1_ListPublisherVideosReply>;
  
  /**
   * What publishers used in a month, by their ids. INVALID_ARGUMENT for no month.
   */
  ListUsage: grpc.handleUnaryCall<_vds_catalog_v1_ListUsageRequestOut, _vds_catalog_v1_ListUsageReply>;
  
  /**
   * Compares videos with what their owners report of them, and repairs what differs.
   */
  Reconcile: grpc.handleUnaryCall<_vds_catalog_v1_ReconcileRequestOut, _vds_catalog_v1_ReconcileReply>;
  
  ReleaseVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  RemoveVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  /**
   * Runs a stage that does not block `ready` again in the same attempt, for example with better engines.
   */
  RerunStage: grpc.handleUnaryCall<_vds_catalog_v1_RerunStageRequestOut, _vds_catalog_v1_VideoDetails>;
  
  /**
   * Starts a failed video again as a new attempt.
   */
  RetryVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  /**
   * Applies from now on. INVALID_ARGUMENT for no budget, or a negative one.
   */
  SetBudgets: grpc.handleUnaryCall<_vds_catalog_v1_SetBudgetsRequestOut, _vds_catalog_v1_Budgets>;
  
  ShowVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
}

export interface CatalogAdminDefinition extends grpc.ServiceDefinition {
  GetBudgets: MethodDefinition<_vds_catalog_v1_GetBudgetsRequest, _vds_catalog_v1_Budgets, _vds_catalog_v1_GetBudgetsRequestOut, _vds_catalog_v1_BudgetsOut>
  GetDailyUse: MethodDefinition<_vds_catalog_v1_GetDailyUseRequest, _vds_catalog_v1_DailyUse, _vds_catalog_v1_GetDailyUseRequestOut, _vds_catalog_v1_DailyUseOut>
  GetHistory: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_History, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_HistoryOut>
  HoldVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  ListAudit: MethodDefinition<_vds_catalog_v1_ListAuditRequest, _vds_catalog_v1_ListAuditReply, _vds_catalog_v1_ListAuditRequestOut, _vds_catalog_v1_ListAuditReplyOut>
  ListPublisherVideos: MethodDefinition<_vds_catalog_v1_ListPublisherVideosRequest, _vds_catalog_v1_ListPublisherVideosReply, _vds_catalog_v1_ListPublisherVideosRequestOut, _vds_catalog_v1_ListPublisherVideosReplyOut>
  ListUsage: MethodDefinition<_vds_catalog_v1_ListUsageRequest, _vds_catalog_v1_ListUsageReply, _vds_catalog_v1_ListUsageRequestOut, _vds_catalog_v1_ListUsageReplyOut>
  Reconcile: MethodDefinition<_vds_catalog_v1_ReconcileRequest, _vds_catalog_v1_ReconcileReply, _vds_catalog_v1_ReconcileRequestOut, _vds_catalog_v1_ReconcileReplyOut>
  ReleaseVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  RemoveVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  RerunStage: MethodDefinition<_vds_catalog_v1_RerunStageRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_RerunStageRequestOut, _vds_catalog_v1_VideoDetailsOut>
  RetryVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  SetBudgets: MethodDefinition<_vds_catalog_v1_SetBudgetsRequest, _vds_catalog_v1_Budgets, _vds_catalog_v1_SetBudgetsRequestOut, _vds_catalog_v1_BudgetsOut>
  ShowVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
}
