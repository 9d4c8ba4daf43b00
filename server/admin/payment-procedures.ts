import { z } from 'zod'
import {
  AllPaymentsPage,
  AssignEvent,
  DismissEvent,
  DisputeRow,
  CancelAnySubscription,
  PaymentDetails,
  PaymentEventReference,
  PaymentReference,
  RefundPayment,
  RevenueFigures,
  SearchAllPayments,
  OpenPaymentEvent,
} from '../../shared/payment.ts'
import { Page, Status } from '../../shared/schema.ts'
import { refuse } from '../foundation/refusal.ts'
import { dismissEvent, processEvent } from '../payment/events/process-event.ts'
import { searchAllPayments } from '../payment/payments/all-payments.ts'
import { listDisputes } from '../payment/payments/disputes.ts'
import { findPaymentDetails } from '../payment/payments/payment-details.ts'
import { refundPayment } from '../payment/payments/refund-payment.ts'
import { revenueFigures } from '../payment/payments/revenue.ts'
import { listOpenPaymentEvents } from '../payment/records/stored-events.ts'
import { cancelAnySubscription } from '../payment/subscriptions/cancel-any-subscription.ts'
import { assignEvent } from './assign-event.ts'
import { administratorProcedure, freshAdministratorProcedure } from './guard.ts'

/** Payments of all owners, and payment events that wait for an administrator. */
export const paymentProcedures = {
  /** Payment events that are unassigned or failed, oldest first. */
  openPaymentEvents: administratorProcedure
    .input(Page)
    .output(z.array(OpenPaymentEvent))
    .query(({ ctx, input }) => listOpenPaymentEvents(ctx.db, input)),

  /** Applies an unassigned or failed event once more. */
  processAgain: administratorProcedure
    .input(PaymentEventReference)
    .output(z.object({ isAssigned: z.boolean() }))
    .mutation(({ ctx, input: { eventId } }) => processEvent(ctx, eventId)),

  /** Dismisses an unassigned or failed event, with a reason. */
  dismiss: administratorProcedure
    .input(DismissEvent)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await dismissEvent(ctx, input)
      return { status: true }
    }),

  /** Assigns the customer of an event to a user or organization. All events of that customer are assigned with it. */
  assign: administratorProcedure
    .input(AssignEvent)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await assignEvent(ctx, input)
      return { status: true }
    }),

  /** Recurring revenue, subscriptions that ended, failed payments, and revenue by month. */
  revenue: administratorProcedure.output(RevenueFigures).query(({ ctx }) => revenueFigures(ctx.db, ctx)),

  /**
   * Payments of all owners, page by page, by an id of theirs, their customer or their owner, or by an email address.
   */
  payments: administratorProcedure
    .input(SearchAllPayments)
    .output(AllPaymentsPage)
    .query(({ ctx, input }) => searchAllPayments(ctx.db, input, ctx)),

  /** One payment, with its owner, refunds and disputes. */
  payment: administratorProcedure
    .input(PaymentReference)
    .output(PaymentDetails)
    .query(
      async ({ ctx, input: { paymentId } }) =>
        (await findPaymentDetails(ctx.db, paymentId, ctx.now)) ?? refuse('PAYMENT_NOT_FOUND'),
    ),

  /** Refunds a payment in full. */
  refund: freshAdministratorProcedure
    .input(RefundPayment)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await refundPayment(ctx, input)
      return { status: true }
    }),

  /** Cancels a subscription of any owner, at the end of the paid period or immediately. */
  cancelSubscription: freshAdministratorProcedure
    .input(CancelAnySubscription)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await cancelAnySubscription(ctx, input)
      return { status: true }
    }),

  /** Disputes of all payments, newest first. */
  disputes: administratorProcedure
    .input(Page)
    .output(z.array(DisputeRow))
    .query(({ ctx, input }) => listDisputes(ctx.db, input)),
}
