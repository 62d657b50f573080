const isElsewhere = differsFromShanghai();

/** Said once on each page where the browser's zone is not that of the dates; else null. */
export const ZONE_NOTE = isElsewhere
  ? "您的设备在其他时区；这里的日期和时间都是北京时间（UTC+8）。"
  : null;
/** What follows the label of a date field there; else empty. */
export const ZONE_SUFFIX = isElsewhere ? "（北京时间）" : "";

/** True where the local time is another one than Shanghai's in winter or in summer. */
function differsFromShanghai(): boolean {
  const year = new Date().getFullYear();
  const days = [new Date(year, 0, 1), new Date(year, 6, 1)];
  return days.some((day) => day.getTimezoneOffset() !== -480);
}
