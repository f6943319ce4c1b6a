/** A component that is drawn again only when `same` says its props differ. Its own signals still redraw it. */
import { Component, type ComponentType } from 'preact';

export const memo = <P extends object>(Inner: ComponentType<P>, same: (before: P, after: P) => boolean) =>
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props as P, next);
    }
    override render(props: P) {
      return <Inner {...props} />;
    }
  };
