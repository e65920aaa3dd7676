/** The type prefix in the documents of the build. A deployment serves its own prefix. */
export const examplePrefix = 'com.example.returns';
