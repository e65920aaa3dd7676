/** What a screen gets of its address. */
export type ScreenProps = { readonly id: string; readonly part: string };
