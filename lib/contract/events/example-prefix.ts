/** The prefix of types in the documents that the build writes. Each deployment has its own in what it serves. */
export const examplePrefix = 'com.example.returns';
