/** Where the package's classes are, and the colours that its components name: those of shadcn's neutral theme. */
export default {
  content: ['./node_modules/@llamaindex/chat-ui/dist/**/*.js', './main.tsx'],
  theme: {
    extend: {
      colors: {
        background: '#fff',
        foreground: '#0a0a0a',
        primary: { DEFAULT: '#171717', foreground: '#fafafa' },
        secondary: { DEFAULT: '#f5f5f5', foreground: '#171717' },
        muted: { DEFAULT: '#f5f5f5', foreground: '#737373' },
        accent: { DEFAULT: '#f5f5f5', foreground: '#171717' },
        border: '#e5e5e5',
        input: '#e5e5e5',
      },
    },
  },
};
