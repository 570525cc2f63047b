package memcity.agent;

import java.util.Arrays;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Writes a method so that it says when it is entered and left, also by an exception. What `enter` returned stands in a local variable
 * behind all others; the frames at jumps' targets are told of it. A constructor says it only once its object is one, behind super(…):
 * before, nothing can be caught.
 */
final class TimedMethod extends MethodVisitor {
    static final String RUNTIME = "java/lang/MemcityMethods";
    private static final String STATE = "java/lang/Object";

    private final int number;
    private final Shape shape;
    private final boolean hasFrames;
    private final Label handler = new Label();
    private int constructorCallsLeft;
    private boolean isEntered;
    private Label tryStart;

    TimedMethod(MethodVisitor next, int number, Shape shape, boolean hasFrames) {
        super(Opcodes.ASM9, next);
        this.number = number;
        this.shape = shape;
        this.hasFrames = hasFrames;
        constructorCallsLeft = shape.superCall;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (shape.superCall < 0) {
            enter();
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        if (!isEntered && opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && constructorCallsLeft-- == 0) {
            enter();
        }
    }

    private void enter() {
        isEntered = true;
        push(mv, number);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, RUNTIME, "enter", "(I)Ljava/lang/Object;", false);
        super.visitVarInsn(Opcodes.ASTORE, shape.maxLocals);
        tryStart = new Label();
        super.visitLabel(tryStart);
    }

    private void exit() {
        super.visitVarInsn(Opcodes.ALOAD, shape.maxLocals);
        push(mv, number);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, RUNTIME, "exit", "(Ljava/lang/Object;I)V", false);
    }

    static void push(MethodVisitor method, int value) {
        if (value <= Short.MAX_VALUE) {
            method.visitIntInsn(Opcodes.SIPUSH, value);
        } else {
            method.visitLdcInsn(value);
        }
    }

    /** Last in the table of what is caught, so that the method's own come first. */
    private void endTry() {
        Label end = new Label();
        super.visitLabel(end);
        if (end.getOffset() > tryStart.getOffset()) {
            super.visitTryCatchBlock(tryStart, end, handler, null);
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode < Opcodes.IRETURN || opcode > Opcodes.RETURN || !isEntered) {
            super.visitInsn(opcode);
            return;
        }
        endTry(); // a method is left once
        exit();
        super.visitInsn(opcode);
        tryStart = new Label();
        super.visitLabel(tryStart);
    }

    @Override
    public void visitFrame(int type, int localCount, Object[] local, int stackCount, Object[] stack) {
        if (!isEntered) {
            super.visitFrame(type, localCount, local, stackCount, stack);
            return;
        }
        int slots = 0;
        for (int i = 0; i < localCount; i++) {
            slots += local[i] == Opcodes.LONG || local[i] == Opcodes.DOUBLE ? 2 : 1;
        }
        int count = localCount + shape.maxLocals - slots;
        Object[] all = Arrays.copyOf(local, count + 1);
        Arrays.fill(all, localCount, count, Opcodes.TOP);
        all[count] = STATE;
        super.visitFrame(type, count + 1, all, stackCount, stack);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        endTry();
        super.visitLabel(handler);
        if (hasFrames) {
            Object[] locals = new Object[shape.maxLocals + 1];
            Arrays.fill(locals, Opcodes.TOP);
            locals[shape.maxLocals] = STATE;
            super.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Throwable"});
        }
        exit();
        super.visitInsn(Opcodes.ATHROW);
        super.visitMaxs(maxStack, maxLocals + 1);
    }
}
