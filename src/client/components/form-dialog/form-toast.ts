/**
 * The id of the toast about what was wrong with a submit. A later failure replaces it, a success
 * closes it.
 */
export const FORM_TOAST = "form";
