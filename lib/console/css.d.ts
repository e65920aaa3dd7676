/** A style sheet, which the build adds to that of the console. */
declare module '*.css';
