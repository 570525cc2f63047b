package memcity.agent;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Writes a method so that it says when it is entered, and nothing else. */
final class CountedMethod extends MethodVisitor {
    private final int number;

    CountedMethod(MethodVisitor next, int number) {
        super(Opcodes.ASM9, next);
        this.number = number;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        TimedMethod.push(mv, number);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, TimedMethod.RUNTIME, "count", "(I)V", false);
    }
}
