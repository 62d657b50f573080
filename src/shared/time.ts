import { z } from "zod";

/** The end of the year 9999. */
export const MAX_UNIX_SECONDS = 253_402_300_799;

/** Whole Unix seconds, UTC. Bounded, so that milliseconds sent by mistake are refused. */
export const UnixSeconds = z
  .int("时间必须是以秒为单位的整数")
  .min(0, "时间不能为负数")
  .max(MAX_UNIX_SECONDS, "时间超出范围，请使用秒")
  .meta({ id: "UnixSeconds", description: "Unix 时间，整数秒（UTC）", examples: [1_767_225_600] });

export const DAY_SECONDS = 86_400;
export const EXPIRING_SOON_DAYS = 7;

/**
 * The end of an assignment renewed at `now`: `days` from the later of now and the present end. Unix
 * seconds.
 */
export function extendedExpiry(expiry: number, days: number, now: number): number {
  return Math.max(expiry, now) + days * DAY_SECONDS;
}

/**
 * The most days of an extension at `now` that does not end after `until`. Unix seconds; negative
 * when `until` is earlier.
 */
export function daysUntil(expiry: number, until: number, now: number): number {
  return Math.floor((until - Math.max(expiry, now)) / DAY_SECONDS);
}

export type ExpiryState = "expired" | "expiring" | "normal";

/**
 * Whole days left, rounded up; negative or zero once the expiry has passed. Both in Unix seconds.
 */
export function daysLeft(expiry: number, now: number): number {
  return Math.ceil((expiry - now) / DAY_SECONDS);
}

/** Expired: before now. Expiring: at most 7 days left; an expiry of exactly now counts. */
export function expiryState(expiry: number, now: number): ExpiryState {
  if (expiry < now) return "expired";
  return daysLeft(expiry, now) <= EXPIRING_SOON_DAYS ? "expiring" : "normal";
}
